// Scenes as MJCF and as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "scene_parts.h"

namespace {

constexpr const char* kKinds[] = {"plane", "box", "hull", "sphere", "capsule", "cylinder"};

const char* kind_name(const Shape& s) { return kKinds[static_cast<int>(s.kind)]; }

std::string numbers(const auto& values) { return fmt::format("{:.17g}", fmt::join(values, " ")); }

std::string at(const Three& position, const Turn& turn) {
  return fmt::format("pos='{}' quat='{}'", numbers(position), numbers(turn));
}

std::string size_of(const Shape& s) {
  if (s.kind == ShapeKind::plane) return "0 0 1";
  if (s.kind == ShapeKind::box) return numbers(s.half);
  if (s.kind == ShapeKind::sphere) return fmt::format("{:.17g}", s.half[0]);
  return fmt::format("{:.17g} {:.17g}", s.half[0], s.half[1]);
}

// The solids of a scene as bodies of MJCF.
class Bodies {
 public:
  Bodies(const EngineScene& scene, bool joined) : scene_(scene), joint_of_(scene.solids.size()) {
    if (joined)
      for (const Joint& j : scene.joints) joint_of_[static_cast<std::size_t>(j.b)] = &j;
    for (std::size_t i = 0; i < scene.solids.size(); ++i)
      if (joint_of_[i] == nullptr || joint_of_[i]->a < 0) text += body(i);
  }
  std::string text, meshes;

 private:
  std::string body(std::size_t i) {
    const Solid& s = scene_.solids[i];
    const Joint* joint = joint_of_[i];
    Three position = s.position;
    Turn turn = s.turn;
    if (joint != nullptr && joint->a >= 0) {
      const Solid& parent = scene_.solids[static_cast<std::size_t>(joint->a)];
      position = rotate(conjugate(parent.turn), s.position - parent.position);
      turn = conjugate(parent.turn) * s.turn;
    }
    std::string out = fmt::format("    <body name='s{}' {}>", i, at(position, turn));
    if (s.mass > 0)
      out += fmt::format("{}<inertial pos='0 0 0' mass='{:.17g}' diaginertia='{}'/>",
                         joint == nullptr ? "<freejoint/>" : joint_text(s, *joint), s.mass,
                         numbers(s.inertia));
    out += geoms(s, i);
    for (std::size_t k = i + 1; k < joint_of_.size(); ++k)
      if (joint_of_[k] != nullptr && joint_of_[k]->a == static_cast<int>(i)) out += body(k);
    return out + "</body>\n";
  }
  static std::string joint_text(const Solid& s, const Joint& joint) {
    const Three where = rotate(conjugate(s.turn), joint.anchor - s.position);
    if (joint.axis == Three{}) return fmt::format("<joint type='ball' pos='{}'/>", numbers(where));
    return fmt::format("<joint type='hinge' pos='{}' axis='{}'/>", numbers(where),
                       numbers(rotate(conjugate(s.turn), joint.axis)));
  }
  std::string geoms(const Solid& s, std::size_t i) {
    std::string out;
    for (const Shape& shape : s.shapes) {
      if (shape.kind == ShapeKind::hull) {
        meshes += fmt::format("    <mesh name='m{}' vertex='", i);
        for (const Three& v : shape.vertices) meshes += numbers(v) + "  ";
        meshes += "'/>\n";
        out += fmt::format("<geom type='mesh' mesh='m{}'", i);
      } else {
        out += fmt::format("<geom type='{}' size='{}'", kind_name(shape), size_of(shape));
      }
      if (shape.position != Three{} || shape.turn != Turn{1, 0, 0, 0})
        out += " " + at(shape.position, shape.turn);
      out += "/>";
    }
    return out;
  }

  const EngineScene& scene_;
  std::vector<const Joint*> joint_of_;  // whose b the solid is
};

}  // namespace

std::string as_mjcf(const EngineScene& scene, bool joined) {
  const Bodies bodies(scene, joined);
  std::string excluded;
  for (const Joint& j : scene.joints)
    if (j.a >= 0) excluded += fmt::format("    <exclude body1='s{}' body2='s{}'/>\n", j.a, j.b);
  return fmt::format(
      "<mujoco model='{}'>\n  <option timestep='{:.17g}'/>\n  <default><geom friction='{:.17g}'{}/>"
      "</default>\n  <asset>\n{}  </asset>\n  <worldbody>\n{}  </worldbody>\n  <contact>\n{}  "
      "</contact>\n</mujoco>\n",
      scene.name, scene.step, scene.friction, scene.collides ? "" : " contype='0' conaffinity='0'",
      bodies.meshes, bodies.text, excluded);
}

std::string as_json(const EngineScene& scene) {
  using nlohmann::json;
  json out{{"name", scene.name},         {"step", scene.step},     {"friction", scene.friction},
           {"collides", scene.collides}, {"shake", scene.shake},   {"shakeHz", kShakeHz},
           {"solids", json::array()},    {"joints", json::array()}};
  for (const Solid& s : scene.solids) {
    json shapes = json::array();
    for (const Shape& shape : s.shapes)
      shapes.push_back({{"kind", kind_name(shape)},
                        {"half", shape.half},
                        {"vertices", shape.vertices},
                        {"position", shape.position},
                        {"turn", shape.turn}});
    out["solids"].push_back({{"shapes", std::move(shapes)},
                             {"position", s.position},
                             {"turn", s.turn},
                             {"mass", s.mass},
                             {"inertia", s.inertia}});
  }
  for (const Joint& j : scene.joints)
    out["joints"].push_back({{"a", j.a}, {"b", j.b}, {"anchor", j.anchor}, {"axis", j.axis}});
  return out.dump();
}
