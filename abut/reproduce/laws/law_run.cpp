#include "abut/reproduce/laws/law_run.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "abut/reproduce/random_hull.h"

namespace abut::reproduce {

namespace {

constexpr double kG = 9.81;

Model with_step(const std::string& world, double h) {
  Model model = compile(parse_mjcf(world));
  model.option.timestep = h;
  return model;
}

std::string gravity_on(double slope) {
  return fmt::format("gravity='{:.17g} 0 {:.17g}'", kG * std::sin(slope), -kG * std::cos(slope));
}

}  // namespace

std::span<const char* const> law_models() {
  static constexpr std::array kModels = {
      "st", "ap", "lnc", "peg", "baraff", "deepest", "multipoint", "volumetric", "quasirigid"};
  return kModels;
}

std::span<const char* const> bouncing_models() {
  static constexpr std::array kModels = {"st", "ap", "baraff", "multipoint"};
  return kModels;
}

ContactSettings law_settings(std::string_view contact, std::string_view law) {
  ContactSettings s;
  set_contact(s, contact);
  for (const RestitutionLaw of : {RestitutionLaw::newton, RestitutionLaw::poisson,
                                  RestitutionLaw::stronge, RestitutionLaw::sequential})
    if (law == name(of)) s.law = of;
  return s;
}

LawRun::LawRun(const std::string& world, const ContactSettings& settings, double h)
    : model(with_step(world, h)),
      state(model),
      simulator_(model, settings),
      input_(model),
      d_(model) {
  if (!model.keyframes.empty()) set_keyframe(model, 0, state, &input_);
  look();
  const Energy e = abut::energy(model, state, d_);
  first_energy_ = e.kinetic + e.potential;
  first_momentum_ = abut::momentum(model, d_);
  double mass = 0;
  Vec3 center = Vec3::Zero();
  const auto place = [&](const Link& l) -> Vec3 { return d_.body_pose[l.body] * l.mass.com; };
  for (const Link& l : model.links) mass += l.mass.mass, center += l.mass.mass * place(l);
  for (std::size_t i = 0; i < model.links.size(); ++i) {
    const Link& l = model.links[i];
    const Spatial t = twist_at(model, d_, static_cast<int>(i), place(l));
    const Mat3& R = d_.body_rotation[l.body];
    linear_scale_ += l.mass.mass * t.lin.norm();
    angular_scale_ += l.mass.mass * (place(l) - center / mass).norm() * t.lin.norm() +
                      (l.mass.inertia * (R.transpose() * t.ang)).norm();
  }
}

void LawRun::look() {
  positions(model, state, input_, d_);
  velocities(model, state, d_);
}

void LawRun::advance(double seconds, const std::function<void()>& after) {
  const auto steps = std::lround(seconds / model.option.timestep);
  for (long i = 0; i < steps; ++i) {
    simulator_.step(state, input_);
    if (after) after();
  }
}

double LawRun::energy() {
  look();
  const Energy e = abut::energy(model, state, d_);
  return e.kinetic + e.potential;
}

Momentum LawRun::momentum() {
  look();
  return abut::momentum(model, d_);
}

double LawRun::linear_drift() {
  return (momentum().linear - first_momentum_.linear).norm() / linear_scale_;
}

double LawRun::angular_drift() {
  return (momentum().angular - first_momentum_.angular).norm() / angular_scale_;
}

Vec3 LawRun::velocity(int free_body) const {
  return Eigen::Map<const Vec3>(&state.v[static_cast<std::size_t>(6 * free_body)]);
}

Vec3 LawRun::position(int free_body) const {
  return Eigen::Map<const Vec3>(&state.q[static_cast<std::size_t>(7 * free_body)]);
}

std::string tumbling_hulls(unsigned seed, double restitution, double friction) {
  Dice dice(seed);
  std::string meshes, bodies, q, v;
  for (int i = 0; i < 8; ++i) {
    std::string vertices;
    for (const Vec3& p : dice.hull(12).vertices)
      vertices += fmt::format("{:.9g} {:.9g} {:.9g} ", 0.2 * p.x(), 0.2 * p.y(), 0.2 * p.z());
    meshes += fmt::format("<mesh name='m{}' vertex='{}'/>", i, vertices);
    bodies += fmt::format(
        "<body name='b{}'><freejoint/><geom type='mesh' mesh='m{}' mass='{:.3f}'/></body>", i, i,
        dice.uniform(0.5, 2));
    // corners of a cube, towards its middle
    const Vec3 corner(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    const Vec3 p = 0.5 * corner + dice.vec(0.05), u = -1.5 * corner + dice.vec(0.3),
               w = dice.vec(5);
    const Quat r = dice.rotation();
    q += fmt::format("{:.9g} {:.9g} {:.9g} {:.17g} {:.17g} {:.17g} {:.17g} ", p.x(), p.y(), p.z(),
                     r.w(), r.x(), r.y(), r.z());
    v += fmt::format("{:.9g} {:.9g} {:.9g} {:.9g} {:.9g} {:.9g} ", u.x(), u.y(), u.z(), w.x(),
                     w.y(), w.z());
  }
  return fmt::format(
      "<mujoco><option gravity='0 0 0'/><custom><numeric name='abut.restitution' "
      "data='{}'/></custom>"
      "<default><geom friction='{}'/></default><asset>{}</asset><worldbody>{}</worldbody><keyframe>"
      "<key qpos='{}' qvel='{}'/></keyframe></mujoco>",
      restitution, friction, meshes, bodies, q, v);
}

std::string cradle(double gap) {
  std::string bodies;
  for (int i = 0; i < 5; ++i)
    bodies += fmt::format(
        "<body pos='{:.17g} 0 0'><freejoint/><geom type='sphere' size='0.1' mass='1'/></body>",
        i * (0.2 + gap) - (i == 0 ? 0.05 : 0));
  return "<mujoco><option gravity='0 0 0'/><custom><numeric name='abut.restitution' data='1'/>"
         "</custom><default><geom friction='0'/></default><worldbody>" +
         bodies + "</worldbody></mujoco>";
}

std::string block_of_balls(int n) {
  Dice dice(6);
  std::string bodies;
  for (int i = 0; i < n * n * n; ++i) {
    const Vec3 p = 0.21 * Vec3(i % n, i / n % n, i / (n * n)) + dice.vec(1e-3);
    bodies += fmt::format(
        "<body pos='{:.17g} {:.17g} {:.17g}'><freejoint/><geom type='sphere' size='0.1' "
        "mass='10'/></body>",
        p.x(), p.y(), 1.1 + p.z());
  }
  return "<mujoco><custom><numeric name='abut.restitution' data='1'/></custom><default><geom "
         "friction='0'/></default><worldbody><geom type='plane' size='100 100 1'/>" +
         bodies + "</worldbody></mujoco>";
}

std::string roller(const char* shape, double slope) {
  const bool lies = std::string_view(shape) == "cylinder";
  return fmt::format(
      "<mujoco><option {}/><default><geom friction='1'/></default><worldbody><geom type='plane' "
      "size='50 50 1'/><body pos='0 0 0.1' {}><freejoint/><geom type='{}' size='0.1 {}' "
      "mass='2'/></body></worldbody></mujoco>",
      gravity_on(slope), lies ? "euler='90 0 0'" : "", shape, lies ? "0.1" : "");
}

std::string box_on_slope(double slope, double mu) {
  return fmt::format(
      "<mujoco><option {}/><default><geom friction='{:.17g}'/></default><worldbody><geom "
      "type='plane' size='50 50 1'/><body pos='0 0 0.1'><freejoint/><geom type='box' size='0.1 0.1 "
      "0.1' mass='2'/></body></worldbody></mujoco>",
      gravity_on(slope), mu);
}

}  // namespace abut::reproduce
