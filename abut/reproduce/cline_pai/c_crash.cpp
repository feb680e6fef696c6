#include "abut/reproduce/cline_pai/c_crash.h"

#include <algorithm>
#include <cmath>

#include "abut/reproduce/cline_pai/c_worlds.h"
#include "abut/reproduce/random_hull.h"
#include "abut/reproduce/watch.h"

namespace abut::reproduce {

namespace {

constexpr double kFar = 10;  // times the scene

// One start: post-steps one at a time, with the errors after each.
void repair(const Model& model, State state, bool contacts, double scene, int steps,
            const PostOptions& options, Crashes& out) {
  const Input input(model);
  Watch watch(model);
  Collider collider(model);
  Derived d(model);
  PostStep post(model, collider.sizes(), options);
  const auto error = [&] {
    return contacts ? watch.overlap(state, input) : watch.joint_error(state, input);
  };
  const double first = error();
  double last = first, most = first, away = 0;
  bool grew = false;
  for (int i = 0; i < steps; ++i) {
    post.apply(1, tolerance_within(0.005, {1, 0.5}), contacts, input, collider, state, d);
    const double now = error();
    grew = grew || now > last + 1e-9;
    most = std::max(most, std::isfinite(now) ? now : kFar * scene);
    for (const Pose& X : watch.derived().body_pose)
      away = std::max(away, X.p.allFinite() ? X.p.norm() : 2 * kFar * scene);
    last = now;
  }
  ++out.starts;
  out.grew += grew;
  out.flew += away > kFar * scene;
  out.tenfold += most > 10 * first;
  out.repaired += last < 1e-5;
  out.growth = std::max(out.growth, most / first);
}

}  // namespace

Crashes crash_towers(int starts, int steps, const PostOptions& options) {
  Crashes out;
  for (int seed = 1; seed <= starts; ++seed) {
    const Model model = compile(sunk_tower(static_cast<unsigned>(seed)));
    repair(model, State(model), true, kRoomHeight, steps, options, out);
  }
  return out;
}

Crashes crash_chains(int starts, int steps, const TornChain& torn, const PostOptions& options) {
  const Model model = compile(chain_of_rods(6, 9.81, true));
  Crashes out;
  for (int seed = 0; seed < starts; ++seed) {
    Dice dice(torn.seed + static_cast<unsigned>(seed));
    State state(model);
    for (std::size_t i = 0; i < state.q.size(); ++i)
      state.q[i] += dice.uniform(-1, 1) * (i % 3 == 2 ? torn.turn : torn.far);
    repair(model, state, false, 6 * kRod, steps, options, out);
  }
  return out;
}

}  // namespace abut::reproduce
