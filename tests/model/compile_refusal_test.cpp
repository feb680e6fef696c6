// Every way to be refused, and what the message says.
#include <gmock/gmock.h>

#include <limits>

#include "refusal.h"

namespace abut {
namespace {

World one_hinge() {
  World world;
  auto& arm = world.body("arm");
  arm.hinge("elbow", {0, 0, 1});
  arm.sphere(0.1).name = "bob";
  return world;
}
BodyDesc& arm(World& world) { return world.worldbody.bodies[0]; }
JointDesc& elbow(World& world) { return arm(world).joints[0]; }

// The message for a world after one change.
template <typename Change>
std::string after(Change change) {
  World world = one_hinge();
  change(world);
  return test::refusal(world);
}

#define EXPECT_AFTER(text, ...) \
  EXPECT_THAT(after([](World& w) { __VA_ARGS__; }), ::testing::HasSubstr(text))

TEST(CompileRefusal, SaysWhere) {
  World world = one_hinge();
  elbow(world).axis.setZero();
  elbow(world).source = {std::make_shared<const std::string>("arm.xml"), 12};
  EXPECT_REFUSED(world, "arm.xml:12: joint 'elbow': its axis has no length");
}

TEST(CompileRefusal, Options) {
  EXPECT_AFTER("timestep is 0 s", w.option.timestep = 0);
  EXPECT_AFTER("timestep", w.option.timestep = std::numeric_limits<double>::quiet_NaN());
  EXPECT_AFTER("gravity is inf", w.option.gravity.x() = INFINITY);
  EXPECT_AFTER("density is -1", w.option.density = -1);
}

TEST(CompileRefusal, Numbers) {
  EXPECT_AFTER("joint 'elbow': springref is nan; write a finite number", elbow(w).springref = NAN);
  EXPECT_AFTER("body 'arm': pos is 1e+16", arm(w).pose.p.x() = 1e16);
  EXPECT_AFTER("the quaternion is zero", arm(w).pose.q.coeffs().setZero());
  EXPECT_AFTER("armature is -1; it must be 0 or more", elbow(w).armature = -1);
  EXPECT_AFTER("density is -1", arm(w).geoms[0].density = -1);
  EXPECT_AFTER("mass is -1", arm(w).geoms[0].mass = -1);
  EXPECT_AFTER("it must be 1, 3, 4 or 6", arm(w).geoms[0].condim = 2);
}

TEST(CompileRefusal, Names) {
  EXPECT_AFTER("a joint named 'elbow' exists already", arm(w).hinge("elbow", {1, 0, 0}));
  EXPECT_AFTER("a body named 'world' exists already", w.body("world"));
  EXPECT_AFTER("no such joint 'elbwo'; did you mean 'elbow'?", w.motor("m", "elbwo"));
  EXPECT_AFTER("the only joint is 'elbow'", w.motor("m", "something"));
  EXPECT_AFTER("the world has no site", w.motor("m", "x").transmission = TransmissionType::site);
  EXPECT_AFTER("it acts on nothing", w.motor("m", ""));
}

TEST(CompileRefusal, Joints) {
  EXPECT_AFTER("a free joint allows every motion", arm(w).free());
  EXPECT_AFTER("children of the world only", arm(w).body("b").free());
  EXPECT_AFTER("7 degrees of freedom", arm(w).joints.clear();
               for (int i = 0; i < 7; ++i) arm(w).slide("", {1, 0, 0}));
  EXPECT_AFTER("followed by another rotation", elbow(w).type = JointType::ball;
               arm(w).hinge("h", {1, 0, 0}));
  EXPECT_AFTER("a mocap body is a child of the world without joints", arm(w).mocap = true);
  EXPECT_AFTER("the world cannot have joints", w.worldbody.hinge("j", {1, 0, 0}));
  EXPECT_AFTER("must be positive", elbow(w).springdamper = {1, 0});
}

TEST(CompileRefusal, Ranges) {
  EXPECT_AFTER("range is \"0 0\"", elbow(w).limited = true);
  EXPECT_AFTER("the first number must be smaller", elbow(w).range = {2, 1});
  EXPECT_AFTER("autolimits is off", elbow(w).range = {1, 2}; w.compiler.autolimits = false);
  EXPECT_AFTER("starts at 0", elbow(w).type = JointType::ball; elbow(w).range = {1, 2});
  EXPECT_AFTER("actuatorfrcrange", elbow(w).actuatorfrcrange = {2, 1});
  EXPECT_AFTER("ctrlrange", w.motor("m", "elbow").ctrlrange = {2, 1});
  EXPECT_AFTER("no activation", w.motor("m", "elbow").actrange = {1, 2});
  EXPECT_AFTER("'elbow' has no range", w.position("p", "elbow", 1).inheritrange = 1);
}

TEST(CompileRefusal, Geoms) {
  EXPECT_AFTER("geom 'bob'", arm(w).geoms[0].size[0] = 0);
  EXPECT_AFTER("the two points of fromto coincide", arm(w).capsule({1, 1, 1}, {1, 1, 1}, 0.1));
  EXPECT_AFTER("not for a sphere", arm(w).geoms[0].fromto = std::array<double, 6>{});
  EXPECT_AFTER("both pos and fromto", arm(w).capsule({0, 0, 0}, {1, 0, 0}, 0.1).pose.p.x() = 1);
  EXPECT_AFTER("no such mesh 'shell'; the world has no mesh", arm(w).mesh("shell"));
  EXPECT_AFTER("needs mesh=", arm(w).mesh(""));
  EXPECT_AFTER("needs hfield=", arm(w).geom(ShapeKind::hfield, {0, 0, 0}));
  EXPECT_AFTER("write type=\"hfield\"", arm(w).geoms[0].hfield = "h");
  EXPECT_AFTER("a half-space and cannot move", arm(w).plane());
}

TEST(CompileRefusal, Meshes) {
  const auto mesh = [](auto change) {
    World world = one_hinge();
    MeshDesc& m = world.meshes.emplace_back();
    m.name = "m";
    m.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    m.faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    m.inertia = MeshInertia::exact;
    change(m);
    arm(world).mesh("m");
    return test::refusal(world);
  };
  EXPECT_EQ(mesh([](MeshDesc&) {}), "");
  EXPECT_THAT(mesh([](MeshDesc& m) { m.vertices.pop_back(); }), ::testing::HasSubstr("at least 4"));
  EXPECT_THAT(mesh([](MeshDesc& m) { m.faces[0][0] = 4; }), ::testing::HasSubstr("names vertex 4"));
  EXPECT_THAT(mesh([](MeshDesc& m) { m.scale.x() = 0; }), ::testing::HasSubstr("scale has a 0"));
  EXPECT_THAT(mesh([](MeshDesc& m) {
                for (auto& f : m.faces) std::swap(f[0], f[1]);
              }),
              ::testing::HasSubstr("its volume is negative"));
  EXPECT_THAT(mesh([](MeshDesc& m) { std::swap(m.faces[0][0], m.faces[0][1]); }),
              ::testing::HasSubstr("turned in and out"));
}

TEST(CompileRefusal, Inertias) {
  EXPECT_AFTER("is negative", arm(w).inertial = InertialDesc{-1, {}, {1, 1, 1}, {}, {}});
  EXPECT_AFTER("fullinertia has the principal moment -1",
               arm(w).inertial = InertialDesc{1, {}, {0, 0, 0}, {{1, 1, 1, 2, 0, 0}}, {}});
}

TEST(CompileRefusal, Relations) {
  EXPECT_AFTER("it has no joints", w.tendons.emplace_back());
  EXPECT_AFTER("1 joints and 0 coefficients", w.tendons.emplace_back().joints = {"elbow"});
  EXPECT_AFTER("both its bodies are the same", w.equalities.emplace_back().first = "world");
  EXPECT_AFTER("no such body 'leg'", w.equalities.emplace_back().first = "leg");
  EXPECT_AFTER("no such geom 'bib'; did you mean 'bob'?", w.pairs.emplace_back().geom1 = "bib");
  EXPECT_AFTER("qpos has 2 numbers and this world needs 1",
               w.keyframes.emplace_back().qpos = {1, 2});
  EXPECT_AFTER("ctrl has 1 numbers", w.keyframes.emplace_back().ctrl = {1});
  EXPECT_AFTER("no such geom 'ball'", w.tuples.push_back({"t", {{"geom", "ball", 1}}, {}}));
  EXPECT_AFTER("a text named 'a' exists already", w.texts.push_back({"a", "x", {}});
               w.texts.push_back({"a", "y", {}}));
}

}  // namespace
}  // namespace abut
