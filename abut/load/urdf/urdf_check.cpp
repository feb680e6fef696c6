#include "abut/load/urdf/urdf_check.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>
#include <vector>

#include "abut/load/attributes.h"
#include "abut/load/tolerances.h"
#include "abut/math/suggest.h"

namespace abut {

const Element& urdf_child(const Element& e, std::string_view tag) {
  if (const Element* c = e.child(tag)) return *c;
  const std::string_view name = e.text("name");
  fail(e, name.empty() ? fmt::format("<{}> needs a <{}> in it", e.tag, tag)
                       : fmt::format("<{} name=\"{}\"> needs a <{}> in it", e.tag, name, tag));
}

double urdf_size(const Element& e, std::string_view name) {
  double value = 0;
  required(e, name);
  read(e, name, value);
  if (!(value > 0)) fail(e, name, "must be above zero; write a length in metres");
  return value;
}

double urdf_not_negative(const Element& e, std::string_view name) {
  double value = 0;
  if (read(e, name, value) && value < 0) fail(e, name, "is negative; write 0 or more");
  return value;
}

UrdfInertia urdf_inertia(const Element& e) {
  UrdfInertia out;
  const Element& mass = urdf_child(e, "mass");
  required(mass, "value");
  out.mass = urdf_not_negative(mass, "value");

  constexpr std::string_view names[3][3] = {
      {"ixx", "ixy", "ixz"}, {"ixy", "iyy", "iyz"}, {"ixz", "iyz", "izz"}};
  const Element& inertia = urdf_child(e, "inertia");
  for (int i = 0; i < 3; ++i) {
    required(inertia, names[i][i]);
    for (int j = 0; j < 3; ++j) read(inertia, names[i][j], out.moments(i, j));
  }
  if (out.moments.isZero(0)) return out;
  const Vec3 principal =
      Eigen::SelfAdjointEigenSolver<Mat3>(out.moments, Eigen::EigenvaluesOnly).eigenvalues();
  if (!(principal.minCoeff() > 0))
    fail(inertia, fmt::format("no body has this inertia: its principal moments are {:g}, {:g} and "
                              "{:g} kg m^2, and all must be positive; correct it, or write zeros "
                              "alone for a link that is fixed to a heavier one",
                              principal[0], principal[1], principal[2]));
  return out;
}

std::string urdf_joint_type(const Element& joint) {
  constexpr std::string_view types[] = {"revolute", "continuous", "prismatic", "fixed",
                                        "floating", "planar",     "spherical"};
  required(joint, "type");
  return std::string(types[find_word(joint, "type", types)]);
}

Vec3 urdf_axis(const Element& joint) {
  Vec3 axis = Vec3::UnitX();
  const Element* e = joint.child("axis");
  const std::string_view type = joint.text("type");
  if (!e || type == "fixed" || type == "floating" || type == "spherical") return axis;
  required(*e, "xyz");
  read(*e, "xyz", axis);
  if (!(axis.norm() > kShortestAxis))
    fail(*e, "xyz", "the axis has no length; write one such as 0 0 1");
  return axis;
}

UrdfLimit urdf_limit(const Element& joint) {
  UrdfLimit out;
  const std::string_view type = joint.text("type");
  const bool needed = type == "revolute" || type == "prismatic";
  const Element* e = joint.child("limit");
  if (!e && needed)
    fail(joint, fmt::format("joint '{}' is {} and has no <limit>; add <limit lower=\"..\" "
                            "upper=\"..\" effort=\"..\" velocity=\"..\"/>{}",
                            joint.text("name"), type,
                            type == "revolute" ? ", or write type=\"continuous\"" : ""));
  if (!e) return out;
  out.given = true;
  read(*e, "lower", out.lower);
  read(*e, "upper", out.upper);
  out.effort = urdf_not_negative(*e, "effort");
  out.velocity = urdf_not_negative(*e, "velocity");
  if (needed && out.lower > out.upper)
    fail(*e, fmt::format("lower is {:g} and upper {:g}; swap them", out.lower, out.upper));
  if (needed && out.lower == out.upper && out.lower != 0)
    fail(*e, fmt::format("lower and upper are both {:g}; widen them, or write type=\"fixed\" and "
                         "turn the joint's origin",
                         out.lower));
  out.bounded = needed && out.lower < out.upper;
  return out;
}

namespace {

// Below what recursion over the bodies can stand; MJCF's limit too.
constexpr std::size_t kLongestChain = 1000;

using Names = std::map<std::string, const Element*, std::less<>>;

Names names_of(const Element& robot, std::string_view tag) {
  Names names;
  for (const Element& e : robot.children) {
    if (e.tag != tag) continue;
    const auto [at, added] = names.emplace(required(e, "name"), &e);
    if (!added)
      fail(e, fmt::format("a second {} '{}' (the first is in line {}); rename one", tag, at->first,
                          at->second->where.line));
  }
  return names;
}

void check_known(const Element& e, std::string_view attribute, const Names& names,
                 std::string_view kind) {
  const std::string name = required(e, attribute);
  if (names.contains(name)) return;
  std::vector<std::string_view> all;
  for (const auto& entry : names) all.push_back(entry.first);
  fail(e, fmt::format("no such {} '{}'{}", kind, name, suggestion(name, all)));
}

}  // namespace

void check_urdf_tree(const Element& robot) {
  const Names links = names_of(robot, "link"), joints = names_of(robot, "joint");
  if (links.empty()) fail(robot, "a robot needs a link; write <link name=\"base\"/>");

  // the ends of each joint
  std::map<std::string_view, const Element*> joint_above;
  for (const auto& [name, joint] : joints) {
    urdf_joint_type(*joint);
    for (const std::string_view end : {"parent", "child"})
      check_known(urdf_child(*joint, end), "link", links, "link");
    if (const Element* m = joint->child("mimic")) check_known(*m, "joint", joints, "joint");
    const std::string_view child = joint->child("child")->text("link");
    const auto [at, added] = joint_above.emplace(child, joint);
    if (!added)
      fail(*joint, fmt::format("link '{}' is the child of joint '{}' already; URDF robots are "
                               "trees: cut the loop, or write it in MJCF with <equality>",
                               child, at->second->text("name")));
  }

  // one root
  const Element* root = nullptr;
  for (const Element& link : robot.children) {
    if (link.tag != "link" || joint_above.contains(link.text("name"))) continue;
    if (root)
      fail(link, fmt::format("link '{}' hangs on no joint, and neither does '{}'; join them, such "
                             "as with <joint type=\"fixed\">",
                             link.text("name"), root->text("name")));
    root = &link;
  }

  // what cannot be reached from the root is above itself
  std::multimap<std::string_view, const Element*> joints_below;
  for (const auto& [child, joint] : joint_above)
    joints_below.emplace(joint->child("parent")->text("link"), joint);
  std::vector<std::string_view> layer;
  if (root) layer.push_back(root->text("name"));
  std::size_t reached = layer.size();
  for (std::size_t depth = 1; !layer.empty(); ++depth) {
    std::vector<std::string_view> next;
    for (const std::string_view link : layer) {
      const auto [begin, end] = joints_below.equal_range(link);
      for (auto at = begin; at != end; ++at) {
        if (depth > kLongestChain)
          fail(*at->second, fmt::format("this joint is more than {} joints from the root; shorten "
                                        "the chain",
                                        kLongestChain));
        next.push_back(at->second->child("child")->text("link"));
        joint_above.erase(next.back());
      }
    }
    reached += next.size();
    layer = std::move(next);
  }
  if (reached < links.size()) {
    const auto& [link, joint] = *joint_above.begin();
    fail(*joint, fmt::format("link '{}' is above itself; break the circle of joints", link));
  }
}

}  // namespace abut
