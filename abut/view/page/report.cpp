#include "abut/view/page/report.h"

#include <algorithm>
#include <cmath>

#include "abut/model/kinematics.h"
#include "abut/view/plot/silhouette.h"

namespace abut::view {

namespace {

Line line(std::string name, const Series& series, int colour) {
  return {std::move(name), series.points(), colour, false};
}

Plot over_time(std::string title, Axis y) {
  Plot plot;
  plot.title = std::move(title);
  plot.x = {"time", "s"};
  plot.y = std::move(y);
  return plot;
}

}  // namespace

void Report::Vector::add(double t, const Vec3& v) {
  for (int i = 0; i < 3; ++i) component[i].add(t, v[i]);
  component[3].add(t, v.norm());
}

Report::Report(const Model& model) : model_(model), last_speed_(model.bodies.size(), 0.0) {
  for (const JointType type : {JointType::hinge, JointType::slide}) {
    int taken = 0;
    for (std::size_t j = 0; j < model.joints.size() && taken < kColours; ++j)
      if (model.joints[j].type == type)
        joints_.push_back({static_cast<int>(j), Series(), Series()}), ++taken;
  }
  for (int b = 1; b < model.nbody() && movers_.size() < kMostMovers; ++b) {
    const Body& body = model.bodies[b];
    const bool leads = body.link >= 0 && model.links[body.link].body == b;
    if (!leads && body.mocap < 0) continue;
    Mover mover;
    mover.body = b;
    const MassProperties& mass = leads ? model.links[body.link].mass : body.mass;
    if (mass.mass > 0) {
      mover.centre = mass.com;
      mover.gyration = std::sqrt(mass.inertia.trace() / (2 * mass.mass));
    }
    movers_.push_back(std::move(mover));
  }
}

void Report::observe(const State& state, const Sample& sample, const Derived& derived) {
  const double t = sample.time;
  const double total = sample.energy.kinetic + sample.energy.potential;
  if (samples_++ == 0) {
    total_first_ = total;
    first_pose_ = derived.body_pose;
  }
  kinetic_.add(t, sample.energy.kinetic);
  potential_.add(t, sample.energy.potential);
  total_.add(t, total);
  drift_.add(t, total - total_first_);
  linear_.add(t, sample.momentum.linear);
  angular_.add(t, sample.momentum.angular);

  for (JointTrack& track : joints_) {
    const Joint& joint = model_.joints[track.joint];
    track.position.add(t, state.q[joint.q]);
    track.velocity.add(t, state.v[joint.dof]);
  }
  for (Mover& m : movers_) {
    const Vec3 centre = derived.body_pose[m.body] * m.centre;
    m.trail.add(centre);
    if (model_.bodies[m.body].link < 0) continue;  // driven: its velocity is not in the state
    const Spatial twist = twist_at(model_, derived, model_.bodies[m.body].link, centre);
    m.speed.add(t, twist.lin.norm());
    m.spin.add(t, twist.ang.norm());
    m.peak = std::max(m.peak, std::hypot(twist.lin.norm(), m.gyration * twist.ang.norm()));
  }
  last_pose_ = derived.body_pose;
  for (int b = 1; b < model_.nbody(); ++b)
    if (model_.bodies[b].link >= 0)
      last_speed_[b] =
          twist_at(model_, derived, model_.bodies[b].link, derived.body_pose[b].p).lin.norm();
}

std::vector<const Mover*> Report::liveliest() const {
  std::vector<const Mover*> movers;
  for (const Mover& m : movers_) movers.push_back(&m);
  std::stable_sort(movers.begin(), movers.end(),
                   [](const Mover* a, const Mover* b) { return a->peak > b->peak; });
  if (movers.size() > kColours) movers.resize(kColours);
  std::sort(movers.begin(), movers.end(),
            [](const Mover* a, const Mover* b) { return a->body < b->body; });
  return movers;
}

// The path of each body, seen from the side and from above, with the final shapes and, dotted, the
// initial ones.
void Report::add_motion_plots(std::vector<Plot>& plots) const {
  if (movers_.empty()) return;
  struct View {
    const char* title;
    int right, up;  // axes of the world
  };
  static constexpr const char* kAxes[] = {"x", "y", "z"};
  const std::vector<const Mover*> chosen = liveliest();
  std::vector<int> colour(model_.bodies.size(), kFaint);
  for (std::size_t i = 0; i < chosen.size(); ++i) colour[chosen[i]->body] = static_cast<int>(i);

  for (const View& view : {View{"Seen from the side", 0, 2}, View{"Seen from above", 0, 1}}) {
    Plot plot;
    plot.title = view.title;
    plot.x = {kAxes[view.right], "m"};
    plot.y = {kAxes[view.up], "m"};
    plot.equal_scale = true;
    plot.height = 460;
    plot.areas = silhouettes(model_, first_pose_, last_pose_, colour, view.right, view.up);
    if (view.up == 2) plot.levels = grounds(model_, first_pose_);
    for (const Mover& m : movers_) {
      Line l{model_.body_names[m.body], {}, colour[m.body], colour[m.body] != kFaint};
      // grey paths need few points
      const std::vector<Vec3> trail = m.trail.points();
      const std::size_t stride = colour[m.body] == kFaint ? 1 + trail.size() / 512 : 1;
      for (std::size_t i = 0; i < trail.size(); i += stride)
        l.points.emplace_back(trail[i][view.right], trail[i][view.up]);
      plot.lines.push_back(std::move(l));
    }
    plots.push_back(std::move(plot));
  }
}

void Report::add_joint_plots(std::vector<Plot>& plots, JointType type) const {
  const bool hinge = type == JointType::hinge;
  Plot position = over_time(hinge ? "Joint angles" : "Slide positions",
                            {hinge ? "angle" : "position", hinge ? "rad" : "m"});
  Plot velocity = over_time(hinge ? "Joint rates" : "Slide velocities",
                            {hinge ? "rate" : "velocity", hinge ? "rad/s" : "m/s"});
  int colour = 0, all = 0;
  for (const Joint& joint : model_.joints) all += joint.type == type;
  for (const JointTrack& track : joints_) {
    if (model_.joints[track.joint].type != type || track.position.empty()) continue;
    const std::string name = model_.joint_names[track.joint];
    position.lines.push_back(line(name, track.position, colour));
    velocity.lines.push_back(line(name, track.velocity, colour++));
  }
  if (colour == 0) return;
  if (all > colour)
    for (Plot* plot : {&position, &velocity})
      plot->title += ", the first " + std::to_string(colour) + " of " + std::to_string(all);
  plots.push_back(std::move(position));
  plots.push_back(std::move(velocity));
}

void Report::add_body_plots(std::vector<Plot>& plots) const {
  Plot speed = over_time("Speed of bodies", {"speed of the centre of mass", "m/s"});
  Plot spin = over_time("Spin of bodies", {"angular speed", "rad/s"});
  const std::vector<const Mover*> chosen = liveliest();
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i]->speed.empty()) continue;
    const std::string name = model_.body_names[chosen[i]->body];
    speed.lines.push_back(line(name, chosen[i]->speed, static_cast<int>(i)));
    spin.lines.push_back(line(name, chosen[i]->spin, static_cast<int>(i)));
  }
  if (speed.lines.empty()) return;
  plots.push_back(std::move(speed));
  plots.push_back(std::move(spin));
}

// To add another plot of the run (penetration, joint error), feed a Series in observe() and add a
// block here.
std::vector<Plot> Report::plots() const {
  std::vector<Plot> plots;
  if (samples_ == 0) return plots;
  add_motion_plots(plots);

  Plot energy = over_time("Energy", {"energy", "J"});
  energy.lines = {line("kinetic", kinetic_, 0), line("potential", potential_, 1),
                  line("total", total_, 2)};
  plots.push_back(std::move(energy));
  Plot drift = over_time("Energy drift (total − initial)", {"drift", "J"});
  drift.lines = {line("drift", drift_, 2)};
  plots.push_back(std::move(drift));

  auto vector_plot = [&](const char* title, const char* unit, const Vector& v) {
    static constexpr const char* kNames[] = {"x", "y", "z", "norm"};
    static constexpr int kColour[] = {1, 2, 0, 6};
    Plot plot = over_time(title, {"momentum", unit});
    for (int i : {3, 0, 1, 2}) plot.lines.push_back(line(kNames[i], v.component[i], kColour[i]));
    plots.push_back(std::move(plot));
  };
  vector_plot("Linear momentum", "N s", linear_);
  vector_plot("Angular momentum about the world's origin", "N m s", angular_);

  add_body_plots(plots);
  add_joint_plots(plots, JointType::hinge);
  add_joint_plots(plots, JointType::slide);
  return plots;
}

}  // namespace abut::view
