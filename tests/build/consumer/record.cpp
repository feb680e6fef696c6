#include <cstdio>

#include "abut/model/world.h"
#include "abut/simulate/record/record.h"
#include "abut/simulate/record/recording.h"

int main(int, char** arguments) {
  abut::World world;
  auto& ball = world.body("ball", {0, 0, 1});
  ball.free();
  ball.sphere(0.05);
  const abut::Model model = abut::compile(world);
  const abut::State state(model);
  const abut::Input input(model);
  abut::Recorder recorder(model, arguments[1]);
  recorder.record(0, state, input);
  recorder.close();
  std::printf("%g\n", abut::Recording(arguments[1]).read("q")[2]);
}
