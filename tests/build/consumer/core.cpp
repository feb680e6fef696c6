// The simulator alone, without files: a ball falls from 1 m for 0.1 s.
#include <cstdio>

#include "abut/simulate/simulator.h"

int main() {
  abut::World world;
  auto& ball = world.body("ball", {0, 0, 1});
  ball.free();
  ball.sphere(0.05);
  const abut::Model model = abut::compile(world);
  abut::State state(model);
  const abut::Input input(model);
  abut::Simulator simulator(model);
  while (state.time < 0.1 - 1e-9) simulator.step(state, input);
  std::printf("%.2f\n", state.q[2]);
}
