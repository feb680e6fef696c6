// Masses of bodies: written in the file, or from their geoms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/model/compile/compile_draft.h"
#include "abut/model/tolerances.h"

namespace abut::compiling {
namespace {

PrincipalInertia written_inertia(const Draft& draft, int id, const InertialDesc& d) {
  const Thing body = draft.body(id);
  const Thing thing(draft.model.body_names, id, d.source.file ? d.source : body.source());
  thing.number("inertial mass", d.mass);
  thing.vector("diaginertia", d.diaginertia);
  const Pose pose = thing.pose(d.pose);
  if (d.mass < 0 || d.diaginertia.minCoeff() < 0) {
    thing.fail("its mass or inertia is negative; write numbers above 0");
  }
  if (!d.fullinertia) return {d.mass, pose, d.diaginertia};

  const std::array<double, 6>& f = *d.fullinertia;  // xx yy zz xy xz yz
  thing.numbers("fullinertia", f);
  Mat3 full;
  full << f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2];
  const PrincipalInertia principal = principal_inertia({d.mass, pose.p, full});
  if (principal.diagonal.minCoeff() < kLeastMoment) {
    thing.fail(
        fmt::format("fullinertia has the principal moment {:g}, and all three must be "
                    "positive; the order is xx yy zz xy xz yz",
                    principal.diagonal.minCoeff()));
  }
  return principal;
}

// The combined inertia of a body's geoms; none if all of them are massless.
std::optional<PrincipalInertia> inertia_of_geoms(const Draft& draft, const Body& body) {
  std::vector<MassProperties> parts;
  const PrincipalInertia* last = nullptr;
  for (int g = body.geom_begin; g < body.geom_begin + body.geom_count; ++g) {
    const PrincipalInertia& geom = draft.geom_inertia[std::size_t(g)];
    if (geom.mass <= kMasslessGeom) continue;
    parts.push_back(to_mass_properties(geom));
    last = &geom;
  }
  if (parts.empty()) return {};
  if (parts.size() == 1) return *last;  // keeps the axes of the geom
  return principal_inertia(combined(parts));
}

// The compiler's lower bounds, and the triangle inequality that every real body obeys.
void bound_and_balance(const Draft& draft, int id, PrincipalInertia& inertia) {
  const CompilerSettings& settings = draft.world.compiler;
  inertia.mass = std::max(inertia.mass, settings.bound_mass);
  Vec3& I = inertia.diagonal;
  I = I.cwiseMax(settings.bound_inertia);
  const double excess = 2 * I.maxCoeff() - I.sum();  // largest minus the two others
  const bool violated = I[0] + I[1] < I[2] || I[0] + I[2] < I[1] || I[1] + I[2] < I[0];
  if (violated && settings.balance_inertia) {
    I.setConstant(I.sum() / 3);
  } else if (excess > kTriangleSlack * I.maxCoeff()) {  // flat bodies are equal up to rounding
    draft.body(id).fail(fmt::format(
        "no body has the principal inertia {:g} {:g} {:g}: none may exceed the sum of the others; "
        "correct it, or write <compiler balanceinertia=\"true\"/> to use their mean",
        I[0], I[1], I[2]));
  }
}

bool has_inertia(const PrincipalInertia& inertia) {
  return inertia.mass >= kTiny && inertia.diagonal.minCoeff() >= kTiny;
}

// A moving body must have mass: its own, or that of a body welded to it.
void check_moving_bodies(const Draft& draft) {
  const std::vector<Body>& bodies = draft.model.bodies;
  std::vector<bool> heavy(bodies.size(), false);
  for (std::size_t id = 0; id < bodies.size(); ++id) {
    if (has_inertia(draft.body_inertia[id])) heavy[std::size_t(bodies[id].weld)] = true;
  }
  for (std::size_t id = 1; id < bodies.size(); ++id) {
    if (bodies[id].joint_count == 0 || heavy[id]) continue;
    const PrincipalInertia& inertia = draft.body_inertia[id];
    draft.body(static_cast<int>(id))
        .fail(fmt::format("it has joints but its mass is {:g} kg and its inertia {:g} {:g} {:g} "
                          "kg m^2; add a geom with mass, or an <inertial>, to it or to a body that "
                          "is fixed to it",
                          inertia.mass, inertia.diagonal[0], inertia.diagonal[1],
                          inertia.diagonal[2]));
  }
}

void set_total_mass(Draft& draft) {
  const double wanted = draft.world.compiler.set_total_mass;
  if (!(wanted > 0)) return;
  double total = 0;
  for (const PrincipalInertia& inertia : draft.body_inertia) total += inertia.mass;
  const double scale = wanted / std::max(total, kTiny);
  for (PrincipalInertia& inertia : draft.body_inertia) {
    inertia.mass *= scale;
    inertia.diagonal *= scale;
  }
}

bool wants_alignment(const Draft& draft, std::size_t id) {
  const BodyDesc& d = *draft.bodies[id];
  if (d.joints.size() != 1 || d.joints[0].type != JointType::free || !d.bodies.empty())
    return false;
  return d.joints[0].align.value_or(draft.world.compiler.align_free);
}

// Moves the body frame to the axes of inertia; geoms and sites stay where they are.
void align(Draft& draft, std::size_t id) {
  Body& body = draft.model.bodies[id];
  PrincipalInertia& inertia = draft.body_inertia[id];
  const Pose back = inertia.pose.inverse();
  body.pose = body.pose * inertia.pose;
  inertia.pose = {};
  for (int g = body.geom_begin; g < body.geom_begin + body.geom_count; ++g) {
    Geom& geom = draft.model.geoms[std::size_t(g)];
    geom.pose = back * geom.pose;
    geom.fluid_pose = back * geom.fluid_pose;
  }
  for (int s = body.site_begin; s < body.site_begin + body.site_count; ++s) {
    Site& site = draft.model.sites[std::size_t(s)];
    site.pose = back * site.pose;
  }
}

// Full sides of the box with the body's mass and inertia, which the drag of the medium uses.
Vec3 fluid_box(const PrincipalInertia& inertia) {
  if (inertia.mass < kTiny) return Vec3::Zero();
  const Vec3& I = inertia.diagonal;
  const Vec3 squares = (Vec3::Constant(I.sum()) - 2 * I).cwiseMax(kTiny) * (6 / inertia.mass);
  return squares.cwiseSqrt();
}

PrincipalInertia inertia_of_body(const Draft& draft, int id) {
  const BodyDesc& d = *draft.bodies[std::size_t(id)];
  const Body& body = draft.model.bodies[std::size_t(id)];
  const InertiaFromGeom source = draft.world.compiler.inertia_from_geom;
  // a body without any inertia gets its inertial frame where MuJoCo puts it, displaced once more by
  // its own pose; this matters only together with boundmass
  PrincipalInertia inertia{0, body.pose, Vec3::Zero()};
  if (d.inertial) inertia = written_inertia(draft, id, *d.inertial);
  if (source == InertiaFromGeom::yes || (source == InertiaFromGeom::automatic && !d.inertial)) {
    inertia = inertia_of_geoms(draft, body).value_or(inertia);
  }
  bound_and_balance(draft, id, inertia);
  return inertia;
}

}  // namespace

void make_body_inertias(Draft& draft) {
  std::vector<Body>& bodies = draft.model.bodies;
  draft.body_inertia.resize(bodies.size());
  for (std::size_t id = 1; id < bodies.size(); ++id) {
    draft.body_inertia[id] = inertia_of_body(draft, static_cast<int>(id));
  }
  check_moving_bodies(draft);
  set_total_mass(draft);
  for (std::size_t id = 1; id < bodies.size(); ++id) {
    if (wants_alignment(draft, id)) align(draft, id);
    bodies[id].mass = to_mass_properties(draft.body_inertia[id]);
    bodies[id].fluid_box = fluid_box(draft.body_inertia[id]);
    bodies[id].fluid_axes = draft.body_inertia[id].pose.q.toRotationMatrix();
  }
}

}  // namespace abut::compiling
