// <worldbody>: bodies, frames and their contents.
//
// A frame disappears: its pose is applied to its contents. As in MuJoCo, an <inertial> is the
// exception: it is always in the axes of its body. A replicate disappears too, after its contents
// have been copied.
#include <fmt/format.h>

#include "abut/load/attributes.h"
#include "abut/load/mjcf/mjcf_attach.h"
#include "abut/load/mjcf/mjcf_context.h"
#include "abut/load/mjcf/mjcf_elements.h"
#include "abut/load/mjcf/mjcf_names.h"

namespace abut {
namespace {

constexpr std::size_t kMostReplicated = 1'000'000;

// Where the reader is: the body, the frames around the element within it, the class.
struct Place {
  BodyDesc& body;
  const Pose* frame;  // null: none
  const ClassDefaults& defaults;
  bool in_world;  // the body is the world's
  bool repeated;  // within a <replicate>
};

void read_contents(const Element& e, const Place& place, MjcfContext& mjcf);

template <typename Desc>
Desc& add(std::deque<Desc>& list, Desc&& thing, const Place& place) {
  if (place.frame) move(thing, *place.frame);
  return list.emplace_back(std::move(thing));
}

void refuse_in_world(const Element& e, const Place& place) {
  if (place.in_world) fail(e, fmt::format("the world has no <{}>; put it in a <body>", e.tag));
}

void add_joint(const Element& e, const Place& place, MjcfContext& mjcf) {
  refuse_in_world(e, place);
  JointDesc joint = mjcf.defaults.of(e, "class", place.defaults).joint;
  read_joint(e, joint);
  finish_joint(mjcf.angles, joint);
  add(place.body.joints, std::move(joint), place);
}

void add_free_joint(const Element& e, const Place& place) {
  refuse_in_world(e, place);
  JointDesc joint;  // takes no defaults
  joint.type = JointType::free;
  joint.source = e.where;
  read(e, "name", joint.name);
  read(e, "group", joint.group);
  read(e, "align", joint.align);
  add(place.body.joints, std::move(joint), place);
}

void add_geom(const Element& e, const Place& place, MjcfContext& mjcf) {
  Oriented<GeomDesc> geom = mjcf.defaults.of(e, "class", place.defaults).geom;
  read_geom(e, mjcf.angles, geom);
  GeomDesc& g = geom.desc;
  if (e.text("type") == "sdf")
    mjcf.warnings.once("sdf", e.where, "a geom of type sdf is taken as its mesh");
  // a material's colour applies to geoms without their own colour
  const auto colour = mjcf.material_colours.find(g.material);
  if (colour != mjcf.material_colours.end() && g.rgba == GeomDesc{}.rgba) g.rgba = colour->second;
  add(place.body.geoms, std::move(g), place);
}

void add_site(const Element& e, const Place& place, MjcfContext& mjcf) {
  Oriented<SiteDesc> site = mjcf.defaults.of(e, "class", place.defaults).site;
  read_site(e, mjcf.angles, site);
  add(place.body.sites, std::move(site.desc), place);
}

void add_inertial(const Element& e, const Place& place, MjcfContext& mjcf) {
  refuse_in_world(e, place);
  if (place.body.inertial) fail(e, "a second <inertial> of the same body; keep one");
  place.body.inertial = read_inertial(e, mjcf.angles);
}

void add_body(const Element& e, const Place& place, MjcfContext& mjcf) {
  const ClassDefaults& defaults = mjcf.defaults.of(e, "childclass", place.defaults);
  BodyDesc& body = place.body.bodies.emplace_back();
  body.source = e.where;
  read(e, "name", body.name);
  read_pose(e, mjcf.angles, body.pose);
  if (place.frame) body.pose = *place.frame * body.pose;
  read(e, "mocap", body.mocap);
  read(e, "gravcomp", body.gravcomp);
  read_contents(e, {body, nullptr, defaults, false, place.repeated}, mjcf);
}

// How much a body holds, to find what a frame has added.
struct Sizes {
  std::size_t joints, geoms, sites, bodies;

  explicit Sizes(const BodyDesc& b)
      : joints(b.joints.size()),
        geoms(b.geoms.size()),
        sites(b.sites.size()),
        bodies(b.bodies.size()) {}

  BodyDesc added_to(const BodyDesc& body) const {
    BodyDesc added;
    const auto copy = [](const auto& from, std::size_t begin, auto& to) {
      for (std::size_t i = begin; i < from.size(); ++i) to.push_back(from[i]);
    };
    copy(body.joints, joints, added.joints);
    copy(body.geoms, geoms, added.geoms);
    copy(body.sites, sites, added.sites);
    copy(body.bodies, bodies, added.bodies);
    return added;
  }
};

void add_frame(const Element& e, const Place& place, MjcfContext& mjcf) {
  const ClassDefaults& defaults = mjcf.defaults.of(e, "childclass", place.defaults);
  Pose frame;
  read_pose(e, mjcf.angles, frame);
  if (place.frame) frame = *place.frame * frame;
  const Sizes before(place.body);
  read_contents(e, {place.body, &frame, defaults, place.in_world, place.repeated}, mjcf);
  if (mjcf.submodel_depth == 0 || place.repeated || !e.find("name")) return;
  BodyDesc contents = before.added_to(place.body);
  if (place.frame) move_contents(contents, place.frame->inverse());
  mjcf.frames.insert_or_assign(std::string(e.text("name")), std::move(contents));
}

// "07": as many digits as the count has.
std::string suffix(const std::string& separator, int i, int count) {
  return fmt::format("{}{:0{}}", separator, i, std::to_string(count).size());
}

void add_replicas(const Element& e, const Place& place, MjcfContext& mjcf) {
  const ClassDefaults& defaults = mjcf.defaults.of(e, "childclass", place.defaults);
  int count = 0;
  Vec3 offset = Vec3::Zero(), euler = Vec3::Zero();
  std::string separator;
  if (e.find("prefix"))
    mjcf.warnings.once("replicate prefix", e.where,
                       "prefix of <replicate> has no effect, as in MuJoCo; sep makes the names");
  required(e, "count");
  read(e, "count", count);
  read(e, "offset", offset);
  read(e, "euler", euler);
  read(e, "sep", separator);
  if (count < 1) fail(e, "count", "must be 1 or more");

  // nested counts multiply: too many are refused before the first copy is made
  const auto check = [&](double elements) {
    if (elements > kMostReplicated)
      fail(e, "count",
           fmt::format("makes more than {} elements; write a smaller one", kMostReplicated));
  };
  const double enclosing = mjcf.enclosing_replicas;
  mjcf.enclosing_replicas *= count;
  check(mjcf.enclosing_replicas);

  // read the contents once
  BodyDesc original;
  read_contents(e, {original, nullptr, defaults, place.in_world, true}, mjcf);
  mjcf.enclosing_replicas = enclosing;
  if (original.inertial) fail(e, "an <inertial> cannot be repeated; move it out of <replicate>");
  mjcf.replicated += count_elements(original) * static_cast<std::size_t>(count);
  check(static_cast<double>(mjcf.replicated));

  // each copy is in the frame of the previous one, moved by offset and rotated by euler
  Pose step;
  for (int i = 0; i < count; ++i) {
    step.q = euler_rotation(i * euler, mjcf.angles);  // from the start, to add up no rounding
    BodyDesc copy = original;
    const std::string ending = suffix(separator, i, count);
    rename_tree(copy, [&](const std::string& name) { return name + ending; });
    move_contents(copy, place.frame ? *place.frame * step : step);
    append_contents(place.body, std::move(copy));
    step.p += step.q * offset;
  }
  NameSet names;
  collect_names(original, names);
  append_references(mjcf.world, take_references(mjcf.world, std::move(names), count,
                                                [&](const std::string& name, int i) {
                                                  return name + suffix(separator, i, count);
                                                }));
}

void read_contents(const Element& e, const Place& place, MjcfContext& mjcf) {
  for (const Element& c : e.children) {
    if (c.tag == "geom")
      add_geom(c, place, mjcf);
    else if (c.tag == "body")
      add_body(c, place, mjcf);
    else if (c.tag == "joint")
      add_joint(c, place, mjcf);
    else if (c.tag == "inertial")
      add_inertial(c, place, mjcf);
    else if (c.tag == "site")
      add_site(c, place, mjcf);
    else if (c.tag == "freejoint")
      add_free_joint(c, place);
    else if (c.tag == "frame")
      add_frame(c, place, mjcf);
    else if (c.tag == "replicate")
      add_replicas(c, place, mjcf);
    else if (c.tag == "attach")
      attach_model(c, mjcf, place.body, place.frame);
    // for other elements there was a warning already
  }
}

}  // namespace

void read_worldbody(const Element& section, MjcfContext& mjcf) {
  BodyDesc& body = mjcf.world.worldbody;
  body.source = section.where;
  read_contents(section, {body, nullptr, mjcf.defaults.main(), true, false}, mjcf);
}

}  // namespace abut
