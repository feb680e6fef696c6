#include "abut/reproduce/cline_pai/c_flat_run.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "abut/model/kinematics.h"
#include "abut/reproduce/cline_pai/c_worlds.h"
#include "abut/reproduce/watch.h"
#include "abut/shape/primitives.h"

namespace abut::reproduce {

namespace {

double largest(const std::vector<double>& x) {
  return x.empty() ? 0 : *std::max_element(x.begin(), x.end());
}

}  // namespace

double FlatRun::most() const { return largest(overlap); }
double FlatRun::most_before() const { return largest(before); }
double FlatRun::mean() const {
  return std::accumulate(overlap.begin(), overlap.end(), 0.0) / static_cast<double>(overlap.size());
}

void push(Input& input, const Derived& d, int body, const Vec3& force, const Vec3& point) {
  const Vec3 arm = d.body_pose[static_cast<std::size_t>(body)].q * point;
  Vec6& w = input.wrench[static_cast<std::size_t>(body)];
  w.head<3>() += force;
  w.tail<3>() += arm.cross(force);
}

FlatRun run_flat(const Model& model, const ContactSettings& contact, double time, const Hand& hand,
                 int picture_every) {
  FlatRun out;
  out.h = model.option.timestep;
  Simulator simulator(model, contact);
  State state(model);
  Input input(model);
  Watch watch(model);
  watch.overlap(state, input);
  const int steps = static_cast<int>(std::lround(time / out.h));
  for (int i = 0; i < steps; ++i) {
    const auto& poses = watch.derived().body_pose;
    if (picture_every > 0 && i % picture_every == 0)
      out.poses.emplace_back(poses.begin() + 1, poses.end());
    input.clear_forces();
    if (hand) hand(i * out.h, watch.derived(), input);
    simulator.step(state, input);
    out.overlap.push_back(1e3 * watch.overlap(state, input));
    out.before.push_back(1e3 * simulator.contact().post().before);
    out.unsolved +=
        simulator.contact().stepping().report().unsolved + simulator.contact().post().unsolved;
  }
  return out;
}

ContactSettings frictionless_ap(const char* stabilize) {
  ContactSettings contact;
  contact.model = "ap";
  contact.friction = FrictionKind::none;
  contact.tolerance = tolerance_within(0.005, {1, 0.5});
  set_stabilize(contact, stabilize);
  return contact;
}

Graph::Curve overlap_curve(std::string name, const FlatRun& run) {
  Graph::Curve c{std::move(name), {}};
  for (std::size_t i = 0; i < run.overlap.size(); ++i)
    c.points.emplace_back(static_cast<double>(i + 1) * run.h, run.overlap[i]);
  return c;
}

Drawing room_picture(const Model& model, const FlatRun& run, std::size_t first, std::size_t last,
                     std::string title) {
  Drawing drawing;
  drawing.title = std::move(title);
  drawing.eye = {0, -1e-3, 1};  // from above, y up on the paper
  for (std::size_t k = first; k <= std::min(last, run.poses.size() - 1); ++k)
    for (const Geom& geom : model.geoms) {
      if (geom.body == 0) continue;
      const Vec3 half(geom.shape.size.x(), geom.shape.size.y(), 1e-3);
      drawing.solids.push_back(
          {transformed(box_polyhedron(half), run.poses[k][static_cast<std::size_t>(geom.body - 1)]),
           k == last ? Role::b : Role::a, ""});
    }
  drawing.outlines.push_back({{-kRoomHalf, 0, 0},
                              {kRoomHalf, 0, 0},
                              {kRoomHalf, kRoomHeight, 0},
                              {-kRoomHalf, kRoomHeight, 0}});
  return drawing;
}

}  // namespace abut::reproduce
