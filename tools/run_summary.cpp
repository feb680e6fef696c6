#include "run_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/model/kinematics.h"
#include "abut/simulate/sense/sensors.h"

namespace abut::tool {

namespace {

Json bodies_json(const Model& model, const Derived& d, const ContactForces& forces) {
  Json bodies = Json::object();
  std::vector<BodyForce> on_bodies;
  forces.on_bodies(model, on_bodies);
  for (int b = 1; b < model.nbody(); ++b) {
    const Spatial t = twist_at(model, d, model.bodies[b].link, d.body_pose[b].p);
    bodies[model.body_names[b]] = {{"position", to_json(d.body_pose[b].p)},
                                   {"quaternion", to_json(d.body_pose[b].q)},
                                   {"linear_velocity", to_json(t.lin)},
                                   {"angular_velocity", to_json(t.ang)}};
    const BodyForce& f = on_bodies[static_cast<std::size_t>(b)];
    if (f.pairs > 0)
      bodies[model.body_names[b]]["contact"] = {{"force", to_json(f.force)},
                                                {"friction", to_json(f.friction)},
                                                {"torque", to_json(f.torque)},
                                                {"point", to_json(f.point)}};
  }
  return bodies;
}

Json contact_pairs_json(const Model& model, const ContactForces& forces) {
  Json pairs = Json::array();
  for (const PairForce& p : forces.pairs) {
    Json points = Json::array();
    for (int i = p.begin; i < p.end; ++i) {
      const PointForce& point = forces.points[static_cast<std::size_t>(i)];
      points.push_back({{"position", to_json(point.position)},
                        {"force", to_json(point.force)},
                        {"normal_force", point.normal}});
    }
    pairs.push_back({{"a", model.geom_names[p.geom_a]},
                     {"b", model.geom_names[p.geom_b]},
                     {"force", to_json(p.force)},
                     {"torque", to_json(p.torque)},
                     {"point", to_json(p.point)},
                     {"normal", to_json(p.normal)},
                     {"normal_force", p.normal_force()},
                     {"friction_force", p.friction_force()},
                     {"points", points}});
  }
  return pairs;
}

// Those that abut computes.
Json sensors_json(const Simulator& simulator, const State& state, const Input& input,
                  bool stepped) {
  Sensors sensors(simulator.model());
  if (stepped)
    sensors.update(simulator, state, input);
  else
    sensors.update(state, input);
  Json j = Json::object();
  for (int id = 0; id < sensors.count(); ++id)
    if (const auto value = sensors[id].value(); !value.empty())
      j[simulator.model().sensor_names[id]] = std::vector<double>(value.begin(), value.end());
  return j;
}

Json used_json(const ContactSettings& settings, const ContactTotals& totals) {
  Json methods = Json::object();
  for (const SolveReport::Method& m : totals.solving.methods())
    methods[std::string(m.name)] = m.problems;
  return {{"solver", settings.solver},
          {"fallback_level", totals.solving.level},
          {"methods", methods},
          {"problems", totals.solving.problems},
          {"unsolved", totals.solving.unsolved},
          {"largest", totals.solving.largest},
          {"iterations", totals.solving.iterations},
          {"pivots", totals.solving.pivots},
          {"kept", totals.solving.kept},
          {"post_steps", totals.post_steps},
          {"post_unsolved", totals.post_unsolved}};
}

}  // namespace

Json summary(const Simulator& simulator, const State& state, const Input& input,
             const RunOutcome& outcome, const MeasureWhen& when, Measure& measure,
             const std::vector<std::string>& warnings) {
  const Model& model = simulator.model();
  const ContactSettings& contact = simulator.contact().settings();
  const bool touches = contact.model != "none";
  const ContactTotals& totals = outcome.contact;
  const ContactForces forces = simulator.contact_forces();
  const Sample end = measure.sample(state, input);
  const auto measured = [&](double x) { return when.off ? Json() : Json(x); };
  Json j;
  j["world"] = model.name;
  j["contact"] = contact.model;
  j["data"] = touches ? Json(name(data_of(contact))) : Json();
  j["friction"] = touches ? Json(friction_text(contact)) : Json();
  j["stabilize"] = stabilize_text(contact);
  j["solver"] = contact.solver;
  j["integrator"] = integrator_name(simulator.integrator());
  j["threads"] = simulator.threads();
  j["deterministic"] = contact.budget_ms <= 0;
  j["step"] = model.option.timestep;
  j["steps"] = outcome.steps;
  j["time"] = state.time;
  j["wall_s"] = outcome.wall_s;
  j["steps_per_s"] =
      outcome.wall_s > 0 ? Json(static_cast<double>(outcome.steps) / outcome.wall_s) : Json();
  j["measure_s"] = outcome.measure_s;
  j["contacts"] = forces.points.size();
  j["energy"] = {{"kinetic", end.energy.kinetic},
                 {"potential", end.energy.potential},
                 {"contact", simulator.contact().stored_energy()},
                 {"work", totals.work},
                 {"stabilization", totals.lifted}};
  j["energy_drift"] = measured(measure.energy_drift());
  j["momentum"] = {{"linear", to_json(end.momentum.linear)},
                   {"angular", to_json(end.momentum.angular)},
                   {"stabilization", totals.handed}};
  j["momentum_drift"] = measured(measure.momentum_drift());
  j["penetration"] = {{"max", measured(measure.overlap().deepest)},
                      {"mean", measured(measure.overlap().mean())}};
  j["penetration_end"] = {{"max", measured(end.overlap.deepest)},
                          {"mean", measured(end.overlap.mean())}};
  j["joint_error_max"] = measured(measure.joint_error_max());
  j["residual_max"] = std::max(totals.solving.residual, totals.post_residual);
  j["fallbacks"] = totals.solving.fallbacks;
  j["ghosts"] = when.off ? Json() : Json(outcome.ghosts);
  j["contact_force_total"] = forces.total();
  j["contact_force_net"] = to_json(forces.net(model));
  j["contact_pairs"] = contact_pairs_json(model, forces);
  j["used"] = used_json(contact, totals);
  j["hash"] = fmt::format("{:016x}", state.hash());
  j["warnings"] = warnings;
  if (const Profile& profile = simulator.profile(); profile.enabled) {
    Json stages = Json::object();
    for (std::size_t s = 0; s < kStageNames.size(); ++s)
      stages[std::string(kStageNames[s])] = profile.seconds(static_cast<Stage>(s));
    j["profile"] = stages;
  }
  j["q"] = state.q;
  j["v"] = state.v;
  j["sensors"] = sensors_json(simulator, state, input, outcome.steps > 0);
  j["bodies"] = bodies_json(model, measure.derived(), forces);
  return j;
}

namespace {

void print_contacts(const Json& j) {
  print_safe("  contact     {} points in {} pairs at the end, {:.4g} N in all",
             j["contacts"].get<int>(), j["contact_pairs"].size(),
             j["contact_force_total"].get<double>());
  if (!j["penetration"]["max"].is_null())
    print_safe("; deepest overlap {:.3g} m, {:.3g} m at the end",
               j["penetration"]["max"].get<double>(), j["penetration_end"]["max"].get<double>());
  if (j["used"]["problems"].get<std::int64_t>() == 0) {
    print_safe("\n");
    return;
  }
  print_safe("\n  solver      {} problems, the largest of {} rows; worst residual {:.2g}",
             j["used"]["problems"].get<std::int64_t>(), j["used"]["largest"].get<int>(),
             j["residual_max"].get<double>());
  if (const auto n = j["fallbacks"].get<std::int64_t>(); n > 0) print_safe("; {} fell back", n);
  print_safe("\n");
}

}  // namespace

void print_summary(const Json& j, const Model& model, const std::vector<Pose>& start,
                   const Derived& end) {
  const std::string contact = j["contact"].get<std::string>();
  print_safe("{}: {} steps of {:.6g} s to t = {:.6g} s, {} integrator, {}\n",
             j["world"].get<std::string>(), j["steps"].get<std::int64_t>(), j["step"].get<double>(),
             j["time"].get<double>(), j["integrator"].get<std::string>(),
             contact == "none" ? "no contact"
                               : fmt::format("contact {}, friction {}, stabilize {}", contact,
                                             j["friction"].get<std::string>(),
                                             j["stabilize"].get<std::string>()));
  const double wall = j["wall_s"].get<double>();
  if (wall > 0)
    print_safe("  {:.3g} s of wall clock, {:.4g} steps/s, {:.3g} times real time\n", wall,
               j["steps_per_s"].get<double>(),
               j["steps"].get<double>() * j["step"].get<double>() / wall);
  print_safe("  energy      kinetic {:.6g} J, potential {:.6g} J",
             j["energy"]["kinetic"].get<double>(), j["energy"]["potential"].get<double>());
  if (!j["energy_drift"].is_null())
    print_safe("; drift {:.3g} (relative)", j["energy_drift"].get<double>());
  print_safe("\n");
  auto vector = [&](const Json& v) {
    return fmt::format("({:.4g}, {:.4g}, {:.4g})", v[0].get<double>(), v[1].get<double>(),
                       v[2].get<double>());
  };
  print_safe("  momentum    linear {} N s, angular {} N m s", vector(j["momentum"]["linear"]),
             vector(j["momentum"]["angular"]));
  if (!j["momentum_drift"].is_null())
    print_safe("; drift {:.3g} (relative)", j["momentum_drift"].get<double>());
  print_safe("\n");
  if (contact != "none" &&
      (j["contacts"].get<int>() > 0 || j["used"]["problems"].get<std::int64_t>() > 0))
    print_contacts(j);
  print_safe("  hash        {}\n", j["hash"].get<std::string>());
  if (j.contains("profile")) {
    print_safe("  profile    ");
    for (const auto& [name, s] : j["profile"].items())
      print_safe(" {} {:.3g} s,", name, s.get<double>());
    print_safe("\n");
  }

  constexpr int kMost = 24;
  print_safe("\n  {:<20} {:<30} {:<30} {:>9}\n", "body", "from (m)", "to (m)", "turned");
  int shown = 0, movers = 0;
  for (int b = 1; b < model.nbody(); ++b) {
    if (model.bodies[b].link < 0 && model.bodies[b].mocap < 0) continue;
    if (++movers > kMost) continue;
    ++shown;
    const Pose &x = start[b], &y = end.body_pose[b];
    const double turned = 2 * std::acos(std::min(1.0, std::abs(x.q.dot(y.q)))) * 180 / M_PI;
    auto point = [](const Vec3& p) {
      return fmt::format("{:8.3f} {:8.3f} {:8.3f}", p.x(), p.y(), p.z());
    };
    print_safe("  {:<20} {:<30} {:<30} {:>6.1f} deg\n", model.body_names[b], point(x.p), point(y.p),
               turned);
  }
  if (movers > shown) print_safe("  .. and {} more; --json has them all\n", movers - shown);
}

std::vector<std::string> run_warnings(const RunOutcome& outcome) {
  std::vector<std::string> lines;
  const SolveReport& solving = outcome.contact.solving;
  if (solving.unsolved > 0)
    lines.push_back(
        fmt::format("{} of {} contact problems were not solved to the end; the best answers found "
                    "were used (worst residual {:.2g})",
                    solving.unsolved, solving.problems, solving.residual));
  if (outcome.contact.post_unsolved > 0)
    lines.push_back(
        fmt::format("{} problems of post-steps were not solved; their bodies were not corrected",
                    outcome.contact.post_unsolved));
  return lines;
}

}  // namespace abut::tool
