// Explicit contact pairs and exclusions; equality constraints.
#include <fmt/format.h>

#include <algorithm>

#include "abut/math/rotation.h"
#include "abut/model/compile/compile_draft.h"

namespace abut::compiling {
namespace {

// Values that the pair does not set come from its geoms: from the one with higher priority, or the
// larger value.
ContactPair from_geoms(const Geom& a, const Geom& b) {
  ContactPair pair;
  Vec3 friction = a.friction.cwiseMax(b.friction);
  pair.condim = std::max(a.condim, b.condim);
  if (a.priority != b.priority) {
    const Geom& master = a.priority > b.priority ? a : b;
    friction = master.friction;
    pair.condim = master.condim;
  }
  pair.friction = {friction[0], friction[0], friction[1], friction[2], friction[2]};
  pair.margin = std::max(a.margin, b.margin);
  pair.gap = std::max(a.gap, b.gap);
  return pair;
}

ContactPair make_pair(const Model& model, const Thing& thing, const PairDesc& d) {
  const int geom1 = lookup(thing, model.geom_names, d.geom1);
  const int geom2 = lookup(thing, model.geom_names, d.geom2);
  if (geom1 == geom2) thing.fail("both its geoms are the same; name two");
  ContactPair pair = from_geoms(model.geoms[std::size_t(geom1)], model.geoms[std::size_t(geom2)]);
  pair.geom1 = geom1;
  pair.geom2 = geom2;
  pair.condim = d.condim.value_or(pair.condim);
  if (pair.condim != 1 && pair.condim != 3 && pair.condim != 4 && pair.condim != 6) {
    thing.fail(fmt::format("condim is {}; it must be 1, 3, 4 or 6", pair.condim));
  }
  if (d.friction.size() > 5) {
    thing.fail(fmt::format("friction has {} numbers; a pair has at most 5", d.friction.size()));
  }
  for (const double f : d.friction) thing.not_negative("friction", f);
  std::copy(d.friction.begin(), d.friction.end(), pair.friction.begin());
  pair.margin = d.margin.value_or(pair.margin);
  pair.gap = d.gap.value_or(pair.gap);
  thing.number("margin", pair.margin);
  thing.number("gap", pair.gap);
  return pair;
}

// The kinds that MJCF does not have.
bool is_loop_joint(EqualityType type) { return type >= EqualityType::hinge; }

// The frames that a connect or weld keeps together, from sites or from qpos0.
void make_frames(const Draft& draft, const Thing& thing, const EqualityDesc& d, Equality& e) {
  const Model& model = draft.model;
  thing.vector("anchor", d.anchor);
  if (d.by_site) {
    const int first = lookup(thing, model.site_names, d.first);
    const int second = lookup(thing, model.site_names, d.second);
    if (first == second) thing.fail("both its sites are the same; name two");
    const Site &a = model.sites[std::size_t(first)], &b = model.sites[std::size_t(second)];
    e.first = a.body;
    e.second = b.body;
    e.frame_first = a.pose;
    e.frame_second = b.pose;
    return;
  }
  e.first = lookup(thing, model.body_names, d.first);
  e.second = d.second.empty() ? 0 : lookup(thing, model.body_names, d.second);
  if (e.first == e.second) thing.fail("both its bodies are the same; name two");
  const Pose &X_W1 = draft.X_WB[std::size_t(e.first)], &X_W2 = draft.X_WB[std::size_t(e.second)];
  const Pose anchor{d.anchor, Quat::Identity()};
  if (is_loop_joint(e.type)) {
    if (d.axis.norm() < kTiny) thing.fail("its axis has no length; write a direction");
    e.frame_first =
        d.frame_first ? thing.pose(*d.frame_first) : Pose{d.anchor, rotation_from_z(d.axis)};
    e.frame_second =
        d.frame_second ? thing.pose(*d.frame_second) : X_W2.inverse() * X_W1 * e.frame_first;
  } else if (e.type == EqualityType::connect) {
    e.frame_first = anchor;
    e.frame_second = X_W2.inverse() * X_W1 * anchor;
    e.frame_second.q = Quat::Identity();
  } else {
    // a weld's anchor belongs to the second body, and so does the pose in the file
    e.frame_second = anchor;
    e.frame_first = d.relpose ? thing.pose(*d.relpose) : X_W1.inverse() * X_W2 * anchor;
  }
}

// The numbers of a distance or a gear besides its frames.
void finish_loop_joint(const Draft& draft, const Thing& thing, const EqualityDesc& d, Equality& e) {
  const Pose A = draft.X_WB[std::size_t(e.first)] * e.frame_first;
  const Pose B = draft.X_WB[std::size_t(e.second)] * e.frame_second;
  thing.not_negative("length", d.length);
  e.length = d.length > 0 ? d.length : (B.p - A.p).norm();
  if (d.type == EqualityType::distance && !(e.length > 0))
    thing.fail("its points meet; a distance of 0 is a connect");
  e.teeth = d.teeth;
  if (d.type == EqualityType::gear && (d.teeth[0] == 0 || d.teeth[1] == 0))
    thing.fail("a wheel has no teeth; write two whole numbers, such as 12 30");
  e.rest_first = A.q;
  e.rest_second = B.q;
}

void check_scalar(const Model& model, const Thing& thing, int joint) {
  if (is_scalar(model.joints[std::size_t(joint)].type)) return;
  thing.fail(fmt::format("joint '{}' is neither a hinge nor a slide; only those can be coupled",
                         model.joint_names[joint]));
}

void resolve_coupled(const Thing& thing, const NameTable& names, const EqualityDesc& d,
                     Equality& e) {
  e.first = lookup(thing, names, d.first);
  e.second = d.second.empty() ? -1 : lookup(thing, names, d.second);
  if (e.first == e.second) {
    thing.fail(fmt::format("it couples {} '{}' with itself; name another", names.kind(), d.first));
  }
}

Equality make_equality(const Draft& draft, const Thing& thing, const EqualityDesc& d) {
  Equality e;
  e.type = d.type;
  e.active = d.active;
  thing.not_negative("torquescale", d.torquescale);
  thing.numbers("polycoef", d.polycoef);
  e.torquescale = d.torquescale;
  e.polycoef = d.polycoef;
  switch (d.type) {
    case EqualityType::joint:
      resolve_coupled(thing, draft.model.joint_names, d, e);
      check_scalar(draft.model, thing, e.first);
      if (e.second >= 0) check_scalar(draft.model, thing, e.second);
      break;
    case EqualityType::tendon:
      resolve_coupled(thing, draft.model.tendon_names, d, e);
      break;
    default:
      make_frames(draft, thing, d, e);
      if (is_loop_joint(d.type)) finish_loop_joint(draft, thing, d, e);
  }
  return e;
}

}  // namespace

void make_contacts(Draft& draft) {
  Model& model = draft.model;
  NameTable pair_names("pair"), exclude_names("exclude");
  for (const PairDesc& d : draft.world.pairs) {
    const int id = pair_names.add(d.name, d.source);
    model.pairs.push_back(make_pair(model, Thing(pair_names, id, d.source), d));
  }
  for (const ExcludeDesc& d : draft.world.excludes) {
    const int id = exclude_names.add(d.name, d.source);
    const Thing thing(exclude_names, id, d.source);
    model.excludes.push_back(
        {lookup(thing, model.body_names, d.body1), lookup(thing, model.body_names, d.body2)});
  }
}

void make_equalities(Draft& draft) {
  const auto make = [&](const EqualityDesc& d) {
    const int id = draft.model.equality_names.add(d.name, d.source);
    const Thing thing(draft.model.equality_names, id, d.source);
    draft.model.equalities.push_back(make_equality(draft, thing, d));
  };
  for (const EqualityDesc& d : draft.world.equalities) make(d);
  for (const EqualityDesc& d : loop_joints(draft.world)) make(d);
}

}  // namespace abut::compiling
