#include "abut/load/urdf/urdf_dom.h"

#include <console_bridge/console.h>
#include <fmt/format.h>
#include <urdf_parser/urdf_parser.h>

#include <mutex>
#include <thread>

#include "abut/load/attributes.h"
#include "abut/load/urdf/urdf_check.h"

namespace abut {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Writes the checked document.
class Writer {
 public:
  explicit Writer(Warnings& warnings) : warnings_(warnings) {}

  std::string robot(const Element& e) {
    std::string name = "robot";
    read(e, "name", name);
    open("robot", {{"name", name}});
    for (const Element& c : e.children)
      if (c.tag == "material") material(c, true);
    for (const Element& c : e.children)
      if (c.tag == "link") link(c);
    for (const Element& c : e.children)
      if (c.tag == "joint") joint(c);
    close("robot");
    return std::move(out_);
  }

 private:
  using Pairs = std::vector<std::pair<std::string_view, std::string>>;

  void open(std::string_view tag, const Pairs& attributes, std::string_view end = ">") {
    out_ += fmt::format("<{}", tag);
    for (const auto& [name, value] : attributes)
      out_ += fmt::format(" {}=\"{}\"", name, escaped(value));
    out_ += end;
    out_ += '\n';
  }
  void empty(std::string_view tag, const Pairs& attributes) { open(tag, attributes, "/>"); }
  void close(std::string_view tag) { out_ += fmt::format("</{}>\n", tag); }

  static std::string text(double x) { return fmt::format("{}", x); }
  static std::string text(const Vec3& v) { return fmt::format("{} {} {}", v[0], v[1], v[2]); }

  void origin(const Element& e) {
    const Element* o = e.child("origin");
    if (!o) return;
    Vec3 xyz = Vec3::Zero(), rpy = Vec3::Zero();
    read(*o, "xyz", xyz);
    read(*o, "rpy", rpy);
    empty("origin", {{"xyz", text(xyz)}, {"rpy", text(rpy)}});
  }

  void link(const Element& e) {
    open("link", {{"name", required(e, "name")}});
    if (const Element* c = e.child("inertial")) inertial(*c);
    for (const Element& c : e.children) {
      if (c.tag != "visual" && c.tag != "collision") continue;
      open(c.tag, {});
      origin(c);
      geometry(urdf_child(c, "geometry"));
      if (const Element* m = c.child("material"); m && c.tag == "visual") material(*m, false);
      close(c.tag);
    }
    close("link");
  }

  void inertial(const Element& e) {
    const UrdfInertia i = urdf_inertia(e);
    open("inertial", {});
    origin(e);
    empty("mass", {{"value", text(i.mass)}});
    const Mat3& I = i.moments;
    empty("inertia", {{"ixx", text(I(0, 0))},
                      {"ixy", text(I(0, 1))},
                      {"ixz", text(I(0, 2))},
                      {"iyy", text(I(1, 1))},
                      {"iyz", text(I(1, 2))},
                      {"izz", text(I(2, 2))}});
    close("inertial");
  }

  void geometry(const Element& e) {
    if (e.children.size() != 1)
      fail(e,
           "<geometry> holds one shape; write one of <box>, <cylinder>, <sphere>, <capsule>, "
           "<mesh>");
    const Element& shape = e.children.front();
    const auto size = [&](std::string_view name) { return text(urdf_size(shape, name)); };
    open("geometry", {});
    if (shape.tag == "sphere") {
      empty("sphere", {{"radius", size("radius")}});
    } else if (shape.tag == "box") {
      Vec3 sides = Vec3::Zero();
      required(shape, "size");
      read(shape, "size", sides);
      if (!(sides.minCoeff() > 0)) fail(shape, "size", "must be above zero; write three lengths");
      empty("box", {{"size", text(sides)}});
    } else if (shape.tag == "mesh") {
      Vec3 scale = Vec3::Ones();
      read(shape, "scale", scale);
      if (scale.cwiseAbs().minCoeff() == 0)
        fail(shape, "scale", "has a 0, which flattens the mesh; write three numbers other than 0");
      empty("mesh", {{"filename", required(shape, "filename")}, {"scale", text(scale)}});
    } else {  // cylinder, capsule
      empty("cylinder", {{"radius", size("radius")}, {"length", size("length")}});
    }
    close("geometry");
  }

  // One of the robot that has no look is passed over: urdfdom would refuse the robot for it.
  void material(const Element& e, bool needs_look) {
    const Element* color = e.child("color");
    const Element* texture = e.child("texture");
    if (texture && !texture->find("filename")) texture = nullptr;
    const std::string name = material_name(e);
    if (name.empty() || (needs_look && !color && !texture)) return;
    open("material", {{"name", name}});
    if (color) {
      Vec4 rgba{0.5, 0.5, 0.5, 1};
      required(*color, "rgba");
      read(*color, "rgba", rgba);
      empty("color", {{"rgba", fmt::format("{} {} {} {}", rgba[0], rgba[1], rgba[2], rgba[3])}});
    } else if (texture) {
      empty("texture", {{"filename", std::string(texture->text("filename"))}});
    }
    close("material");
  }

  // A colour without a name, name="", which ROS and MuJoCo accept, gets a name of its own; a
  // material with neither is empty.
  std::string material_name(const Element& e) {
    if (!e.find("name") || !e.text("name").empty()) return required(e, "name");
    warnings_.once("material without a name", e.where,
                   "a <material> has an empty name; its colour is used here only");
    return e.child("color") ? fmt::format("unnamed material {}", ++unnamed_) : std::string();
  }

  void joint(const Element& e) {
    const std::string type = urdf_joint_type(e);
    open("joint",
         {{"name", required(e, "name")}, {"type", type == "spherical" ? "floating" : type}});
    origin(e);
    for (const std::string_view end : {"parent", "child"})
      empty(end, {{"link", required(urdf_child(e, end), "link")}});
    empty("axis", {{"xyz", text(urdf_axis(e))}});
    const UrdfLimit limit = urdf_limit(e);
    if (limit.given)
      empty("limit", {{"lower", text(limit.lower)},
                      {"upper", text(limit.upper)},
                      {"effort", text(limit.effort)},
                      {"velocity", text(limit.velocity)}});
    if (const Element* d = e.child("dynamics"))
      empty("dynamics", {{"damping", text(urdf_not_negative(*d, "damping"))},
                         {"friction", text(urdf_not_negative(*d, "friction"))}});
    if (const Element* m = e.child("mimic")) {
      double multiplier = 1, offset = 0;
      read(*m, "multiplier", multiplier);
      read(*m, "offset", offset);
      empty("mimic", {{"joint", required(*m, "joint")},
                      {"multiplier", text(multiplier)},
                      {"offset", text(offset)}});
    }
    close("joint");
  }

  Warnings& warnings_;
  int unnamed_ = 0;
  std::string out_;
};

// Takes what urdfdom logs while it lives. console_bridge has one handler for the whole
// process: one document is read at a time, and whoever logs through it from elsewhere at
// that moment is passed on.
class LogCatcher : public console_bridge::OutputHandler {
 public:
  LogCatcher() : lock_(mutex()), before_(console_bridge::getOutputHandler()) {
    console_bridge::useOutputHandler(this);
  }
  ~LogCatcher() override { console_bridge::useOutputHandler(before_); }
  LogCatcher(const LogCatcher&) = delete;
  LogCatcher& operator=(const LogCatcher&) = delete;

  void log(const std::string& text, console_bridge::LogLevel level, const char* file,
           int line) override {
    if (std::this_thread::get_id() != owner_) {
      if (before_) before_->log(text, level, file, line);
    } else if (level >= console_bridge::CONSOLE_BRIDGE_LOG_ERROR) {
      errors_ += errors_.empty() ? text : "; " + text;
    }
  }
  const std::string& errors() const { return errors_; }

 private:
  static std::mutex& mutex() {
    static std::mutex instance;
    return instance;
  }
  std::lock_guard<std::mutex> lock_;
  console_bridge::OutputHandler* before_;
  std::thread::id owner_ = std::this_thread::get_id();
  std::string errors_;
};

// The link or joint that a message names, else the robot.
const Element& blamed(const Element& robot, const std::string& message) {
  for (const Element& e : robot.children) {
    const std::string name(e.text("name"));
    if (name.empty()) continue;
    for (const std::string& quoted : {"[" + name + "]", "'" + name + "'"})
      if (message.find(quoted) != message.npos) return e;
  }
  return robot;
}

}  // namespace

std::shared_ptr<const urdf::ModelInterface> read_urdf_dom(const Element& robot,
                                                          Warnings& warnings) {
  check_urdf_tree(robot);
  const std::string xml = Writer(warnings).robot(robot);
  std::string said;
  std::shared_ptr<const urdf::ModelInterface> model;
  {
    LogCatcher catcher;
    model = urdf::parseURDF(xml);
    said = catcher.errors();
  }
  if (!model || !said.empty())
    fail(blamed(robot, said),
         fmt::format("urdfdom refuses this: {}", said.empty() ? "no reason given" : said));
  return model;
}

}  // namespace abut
