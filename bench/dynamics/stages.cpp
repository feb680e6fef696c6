// Where abut's own time goes: each stage of forward dynamics by itself.
//
//   build/bench/bench/dynamics_stages --benchmark_filter=humanoid
#include <benchmark/benchmark.h>

#include "abut/dynamics/articulated.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/load/load.h"
#include "abut/model/kinematics.h"

namespace {

struct World {
  explicit World(const char* name)
      : model(abut::load_model(std::string(ABUT_WORLDS) + "/" + name + ".xml")),
        state(model),
        input(model),
        d(model),
        tau(model.dofs.size(), 0.0) {
    for (std::size_t i = 0; i < state.v.size(); ++i) state.v[i] = 0.1 * static_cast<double>(i % 7);
    abut::advance(model, state.v, 1, state.q);
    positions();
    velocities();
    mass_matrix();
    factor();
  }
  void positions() { abut::positions(model, state, input, d); }
  void velocities() { abut::velocities(model, state, d); }
  void mass_matrix() { abut::mass_matrix(model, d); }
  void factor() { abut::factor(model, d); }
  void bias() { abut::bias_forces(model, state, d); }
  void solve() {
    std::copy(tau.begin(), tau.end(), d.acceleration.begin());
    abut::solve(model, d, d.acceleration);
  }
  void articulated() { abut::articulated_acceleration(model, state.v, tau, {}, d, d.acceleration); }

  abut::Model model;
  abut::State state;
  abut::Input input;
  abut::Derived d;
  std::vector<double> tau;
};

void run(benchmark::State& timer, const char* name, void (World::*stage)()) {
  World world(name);
  for (auto _ : timer) {
    (world.*stage)();
    benchmark::ClobberMemory();
  }
}

}  // namespace

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  const std::pair<const char*, void (World::*)()> stages[] = {{"positions", &World::positions},
                                                              {"velocities", &World::velocities},
                                                              {"mass_matrix", &World::mass_matrix},
                                                              {"factor", &World::factor},
                                                              {"bias", &World::bias},
                                                              {"solve", &World::solve},
                                                              {"articulated", &World::articulated}};
  for (const char* world : {"humanoid", "chain90", "bodies1000"})
    for (const auto& [name, stage] : stages)
      benchmark::RegisterBenchmark((std::string(world) + "/" + name).c_str(), run, world, stage);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
