#include "abut/load/mjcf/mjcf_names.h"

#include "abut/math/rotation.h"

namespace abut {
namespace {

// for_each_reference: f(kind, name) for every name that a thing refers to.
template <typename F>
void for_each_reference(PairDesc& pair, F&& f) {
  f("geom", pair.geom1);
  f("geom", pair.geom2);
}

template <typename F>
void for_each_reference(ExcludeDesc& exclude, F&& f) {
  f("body", exclude.body1);
  f("body", exclude.body2);
}

template <typename F>
void for_each_reference(EqualityDesc& e, F&& f) {
  const std::string_view kind = e.type == EqualityType::joint    ? "joint"
                                : e.type == EqualityType::tendon ? "tendon"
                                : e.by_site                      ? "site"
                                                                 : "body";
  f(kind, e.first);
  f(kind, e.second);
}

template <typename F>
void for_each_reference(TendonDesc& tendon, F&& f) {
  for (std::string& joint : tendon.joints) f("joint", joint);
}

template <typename F>
void for_each_reference(ActuatorDesc& a, F&& f) {
  switch (a.transmission) {
    case TransmissionType::joint:
    case TransmissionType::joint_in_parent:
      f("joint", a.target);
      break;
    case TransmissionType::tendon:
      f("tendon", a.target);
      break;
    case TransmissionType::site:
      f("site", a.target);
      break;
    case TransmissionType::none:
      f("body", a.target);
      break;
  }
  f("site", a.refsite);
}

std::string_view kind_of(const std::string& type) {
  return type == "xbody" ? "body" : std::string_view(type);
}

template <typename F>
void for_each_reference(SensorDesc& s, F&& f) {
  f(kind_of(s.objtype), s.object);
  f(kind_of(s.reftype), s.reference);
}

template <typename F>
void for_each_reference(TupleDesc& tuple, F&& f) {
  for (TupleDesc::Element& e : tuple.elements) f(kind_of(e.objtype), e.objname);
}

bool holds(const NameSet& names, std::string_view kind, const std::string& name) {
  const auto found = names.find(kind);
  return found != names.end() && found->second.contains(name);
}

// Takes from one list; the names of what it takes join `names` under `kind`.
template <typename Desc>
void take(std::deque<Desc>& list, std::deque<Desc>& out, std::string_view kind, NameSet& names,
          int count, const RenameCopy& rename) {
  std::deque<Desc> kept, taken;
  for (Desc& thing : list) {
    bool inside = false;
    for_each_reference(
        thing, [&](std::string_view k, std::string& name) { inside |= holds(names, k, name); });
    (inside ? taken : kept).push_back(std::move(thing));
  }
  list = std::move(kept);
  if (taken.empty()) return;
  for (int i = 0; i < count; ++i)
    for (const Desc& original : taken) {
      Desc& copy = out.emplace_back(original);
      if (!copy.name.empty()) copy.name = rename(copy.name, i);
      for_each_reference(copy, [&](std::string_view k, std::string& name) {
        if (holds(names, k, name)) name = rename(name, i);
      });
    }
  for (const Desc& original : taken)
    if (!original.name.empty()) names[kind].insert(original.name);
}

// f(kind, list of `a`, the same list of `b`): tendons before what they can be the target
// of, actuators before sensors.
template <typename F>
void for_each_list(World& a, World& b, F&& f) {
  f("pair", a.pairs, b.pairs);
  f("exclude", a.excludes, b.excludes);
  f("tendon", a.tendons, b.tendons);
  f("equality", a.equalities, b.equalities);
  f("actuator", a.actuators, b.actuators);
  f("sensor", a.sensors, b.sensors);
  f("tuple", a.tuples, b.tuples);
}

}  // namespace

std::size_t count_elements(const BodyDesc& body) {
  std::size_t n = body.joints.size() + body.geoms.size() + body.sites.size() + body.bodies.size();
  for (const BodyDesc& child : body.bodies) n += count_elements(child);
  return n;
}

void collect_names(const BodyDesc& body, NameSet& names) {
  const auto collect = [&](std::string_view kind, const auto& list) {
    for (const auto& thing : list)
      if (!thing.name.empty()) names[kind].insert(thing.name);
  };
  collect("joint", body.joints);
  collect("geom", body.geoms);
  collect("site", body.sites);
  collect("body", body.bodies);
  for (const BodyDesc& child : body.bodies) collect_names(child, names);
}

void rename_tree(BodyDesc& body, const Rename& rename) {
  const auto change = [&](std::string& name) {
    if (!name.empty()) name = rename(name);
  };
  for (JointDesc& joint : body.joints) change(joint.name);
  for (GeomDesc& geom : body.geoms) change(geom.name);
  for (SiteDesc& site : body.sites) change(site.name);
  for (BodyDesc& child : body.bodies) {
    change(child.name);
    rename_tree(child, rename);
  }
}

void move(GeomDesc& geom, const Pose& frame) {
  if (geom.fromto) {
    // resolved here: a box rotated by its axis and then by the frame has another roll about that
    // axis than one rotated by the axis in the frame
    const std::array<double, 6>& f = *geom.fromto;
    const Vec3 from(f[0], f[1], f[2]), to(f[3], f[4], f[5]);
    const double half = 0.5 * (from - to).norm();
    if (!(half > 0)) return;  // compile() will say so
    if (geom.type == ShapeKind::box || geom.type == ShapeKind::ellipsoid)
      geom.size = {geom.size[0], geom.size[0], half};
    else
      geom.size[1] = half;
    geom.size_count = 3;
    geom.pose = {0.5 * (from + to), rotation_from_z(from - to)};
    geom.fromto.reset();
  }
  geom.pose = frame * geom.pose;
}

void move(SiteDesc& site, const Pose& frame) {
  if (site.fromto) {
    std::array<double, 6>& f = *site.fromto;
    const Vec3 from = frame * Vec3(f[0], f[1], f[2]), to = frame * Vec3(f[3], f[4], f[5]);
    f = {from.x(), from.y(), from.z(), to.x(), to.y(), to.z()};
    return;
  }
  site.pose = frame * site.pose;
}

void move(JointDesc& joint, const Pose& frame) {
  if (joint.type == JointType::free) return;
  joint.pos = frame * joint.pos;
  if (joint.type != JointType::ball) joint.axis = frame.q * joint.axis;
}

void move_contents(BodyDesc& body, const Pose& frame) {
  for (JointDesc& joint : body.joints) move(joint, frame);
  for (GeomDesc& geom : body.geoms) move(geom, frame);
  for (SiteDesc& site : body.sites) move(site, frame);
  for (BodyDesc& child : body.bodies) child.pose = frame * child.pose;
}

void append_contents(BodyDesc& to, BodyDesc&& from) {
  const auto append = [](auto& all, auto& more) {
    for (auto& thing : more) all.push_back(std::move(thing));
  };
  append(to.joints, from.joints);
  append(to.geoms, from.geoms);
  append(to.sites, from.sites);
  append(to.bodies, from.bodies);
}

World take_references(World& world, NameSet names, int count, const RenameCopy& rename) {
  World taken;
  for_each_list(world, taken, [&](std::string_view kind, auto& from, auto& to) {
    take(from, to, kind, names, count, rename);
  });
  return taken;
}

void append_references(World& to, World&& from) {
  for_each_list(to, from, [](std::string_view, auto& all, auto& more) {
    for (auto& thing : more) all.push_back(std::move(thing));
  });
}

}  // namespace abut
