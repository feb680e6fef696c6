// URDF: what each element becomes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <clocale>
#include <thread>

#include "abut/load/load.h"

namespace abut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kInertial =
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' "
    "izz='1'/></inertial>";

std::string heavy(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name + "'>" + kInertial + inside + "</link>\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + inside + "</joint>\n";
}

World robot(const std::string& inside, const LoadOptions& options = {}) {
  return parse_urdf("<robot name='r'>\n" + inside + "</robot>", "r.urdf", {}, options);
}

// One joint of a type between a fixed base and a heavy link.
World one_joint(const std::string& type, const std::string& inside = "") {
  return robot("<link name='base'/>" + heavy("b") + joint("j", type, "base", "b", inside));
}

std::vector<std::string> texts(const World& world) {
  std::vector<std::string> all;
  for (const Warning& w : world.warnings) all.push_back(to_string(w.source) + ": " + w.text);
  return all;
}

TEST(Urdf, RootIsFixedUnlessAskedToFloat) {
  const World fixed = robot(heavy("base"));
  EXPECT_EQ(fixed.name, "r");
  ASSERT_EQ(fixed.worldbody.bodies.size(), 1u);
  EXPECT_TRUE(fixed.worldbody.bodies[0].joints.empty());
  const World free = robot(heavy("base"), {.floating_base = true});
  ASSERT_EQ(free.worldbody.bodies[0].joints.size(), 1u);
  EXPECT_EQ(free.worldbody.bodies[0].joints[0].type, JointType::free);
  EXPECT_EQ(free.worldbody.bodies[0].joints[0].name, "base_free_joint");
  EXPECT_EQ(compile(free).nv, 6);
}

TEST(Urdf, RevoluteHasItsLimits) {
  const World w =
      one_joint("revolute",
                "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><axis xyz='0 2 0'/>"
                "<limit lower='-1' upper='2' effort='5'/><dynamics damping='3' friction='4'/>");
  const BodyDesc& b = w.worldbody.bodies[0].bodies[0];
  EXPECT_TRUE(b.pose.p.isApprox(Vec3(1, 2, 3)));
  EXPECT_TRUE((b.pose.q * Vec3::UnitX()).isApprox(Vec3::UnitY()));
  ASSERT_EQ(b.joints.size(), 1u);
  const JointDesc& j = b.joints[0];
  EXPECT_EQ(j.type, JointType::hinge);
  EXPECT_EQ(j.range, (Range{-1, 2}));
  EXPECT_EQ(j.limited, true);
  EXPECT_EQ(j.actuatorfrcrange, (Range{-5, 5}));
  EXPECT_EQ(j.damping[0], 3);
  EXPECT_EQ(j.frictionloss, 4);
  EXPECT_EQ(j.source.line, 3);
  EXPECT_TRUE(w.warnings.empty());
}

TEST(Urdf, LimitsThatAreNone) {
  const World zero = one_joint("revolute", "<limit effort='0' velocity='0'/>");
  EXPECT_EQ(zero.worldbody.bodies[0].bodies[0].joints[0].limited, std::nullopt);
  EXPECT_THAT(texts(zero), ElementsAre(HasSubstr("r.urdf:3: joint 'j' has lower = upper = 0")));
  const World endless =
      one_joint("continuous", "<limit lower='-1' upper='1' effort='3' velocity='2'/>");
  EXPECT_EQ(endless.worldbody.bodies[0].bodies[0].joints[0].limited, std::nullopt);
  EXPECT_THAT(texts(endless), ElementsAre(HasSubstr("a continuous joint has no lower"),
                                          HasSubstr("velocity limits")));
}

TEST(Urdf, JointTypes) {
  const auto types = [](const World& w, const char* body) {
    const Model m = compile(w);
    std::string all;
    const Body& b = m.bodies[m.body_names.find(body)];
    for (int j = b.joint_begin; j < b.joint_begin + b.joint_count; ++j)
      all += (all.empty() ? "" : " ") + m.joint_names[j] + ":" +
             "fbsh"[static_cast<int>(m.joints[j].type)];
    return all;
  };
  EXPECT_EQ(types(one_joint("fixed"), "b"), "");
  EXPECT_EQ(types(one_joint("continuous"), "b"), "j:h");
  EXPECT_EQ(types(one_joint("prismatic", "<limit lower='0' upper='1'/>"), "b"), "j:s");
  EXPECT_EQ(types(one_joint("planar"), "b"), "j_TX:s j_TY:s j_RZ:h");
  EXPECT_EQ(types(one_joint("floating"), "b"), "j:f");
  EXPECT_EQ(types(one_joint("spherical"), "b"), "j:b");
  const World moving =
      robot("<link name='base'/>" + heavy("a") + heavy("b") +
            joint("i", "continuous", "base", "a") + joint("j", "floating", "a", "b"));
  EXPECT_EQ(types(moving, "b"), "j_TX:s j_TY:s j_TZ:s j:b");
}

TEST(Urdf, PlanarSlidesLieInThePlane) {
  const World w = one_joint("planar", "<axis xyz='1 2 2'/>");
  const auto& joints = w.worldbody.bodies[0].bodies[0].joints;
  const Vec3 normal = Vec3(1, 2, 2) / 3;
  EXPECT_NEAR(joints[0].axis.dot(normal), 0, 1e-15);
  EXPECT_NEAR(joints[1].axis.dot(normal), 0, 1e-15);
  EXPECT_TRUE(joints[0].axis.cross(joints[1].axis).isApprox(normal));
}

TEST(Urdf, AFloatingJointLeavesItsFixedParents) {
  const World w = robot(
      "<link name='map'/><link name='dock'/>" + heavy("ship") +
      joint("d", "fixed", "map", "dock", "<origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/>") +
      joint("s", "floating", "dock", "ship", "<origin xyz='0 1 0'/>"));
  ASSERT_EQ(w.worldbody.bodies.size(), 2u);
  const BodyDesc& ship = w.worldbody.bodies[1];
  EXPECT_EQ(ship.name, "ship");
  EXPECT_LT((ship.pose.p - Vec3(0, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(compile(w).nv, 6);
}

TEST(Urdf, ALinkCalledWorldIsTheWorld) {
  const World w = robot(
      "<link name='world'><collision><geometry><box size='2 2 2'/></geometry></collision>"
      "</link>" +
      heavy("a") + joint("j", "fixed", "world", "a"));
  ASSERT_EQ(w.worldbody.bodies.size(), 1u);
  EXPECT_EQ(w.worldbody.bodies[0].name, "a");
  ASSERT_EQ(w.worldbody.geoms.size(), 1u);
  EXPECT_THROW(robot("<link name='world'/>", {.floating_base = true}), WorldError);
}

TEST(Urdf, MimicIsAnEquality) {
  const World w = robot(
      "<link name='base'/>" + heavy("a") + heavy("b") + joint("i", "continuous", "base", "a") +
      joint("j", "continuous", "a", "b", "<mimic joint='i' multiplier='-2' offset='0.5'/>"));
  ASSERT_EQ(w.equalities.size(), 1u);
  EXPECT_EQ(w.equalities[0].first, "j");
  EXPECT_EQ(w.equalities[0].second, "i");
  EXPECT_EQ(w.equalities[0].polycoef, (std::array<double, 5>{0.5, -2, 0, 0, 0}));
  EXPECT_TRUE(w.warnings.empty());
}

TEST(Urdf, GeomsInFileOrder) {
  const World w =
      robot("<material name='red'><color rgba='1 0 0 1'/></material>" +
            heavy("a",
                  "<visual name='v'><geometry><sphere radius='2'/></geometry><material "
                  "name='red'/></visual>"
                  "<collision name='c'><origin xyz='0 0 1'/><geometry><cylinder radius='1' "
                  "length='4'/></geometry>"
                  "</collision><visual name='v'><geometry><box size='2 4 6'/></geometry></visual>"
                  "<collision><geometry><capsule radius='1' length='2'/></geometry></collision>"));
  const auto& geoms = w.worldbody.bodies[0].geoms;
  ASSERT_EQ(geoms.size(), 4u);
  EXPECT_EQ(geoms[0].type, ShapeKind::sphere);
  EXPECT_EQ(geoms[0].contype + geoms[0].conaffinity, 0);
  EXPECT_EQ(geoms[0].rgba[0], 1);
  EXPECT_EQ(geoms[1].type, ShapeKind::cylinder);
  EXPECT_EQ(geoms[1].size[1], 2);
  EXPECT_EQ(geoms[1].contype, 1);
  EXPECT_EQ(geoms[1].pose.p.z(), 1);
  EXPECT_EQ(geoms[2].size, Vec3(1, 2, 3));
  EXPECT_EQ(geoms[2].name, "");
  EXPECT_EQ(geoms[3].type, ShapeKind::capsule);
  EXPECT_THAT(texts(w), ElementsAre(HasSubstr("a second visual or collision 'v'")));
  EXPECT_NEAR(compile(w).mass(), 1, 1e-15);
}

TEST(Urdf, WithoutInertialALinkWeighsNothing) {
  const std::string box = "<collision><geometry><box size='1 1 1'/></geometry></collision>";
  const std::string links =
      "<link name='base'>" + box + "</link>" + heavy("a") + joint("j", "continuous", "base", "a");
  EXPECT_NEAR(compile(robot(links)).mass(), 1, 1e-15);
  EXPECT_NEAR(compile(robot("<mujoco><compiler inertiafromgeom='auto'/></mujoco>" + links)).mass(),
              1001, 1e-9);
}

TEST(Urdf, MujocoSection) {
  const std::string visual = "<visual><geometry><box size='1 1 1'/></geometry></visual>";
  const World w = robot(
      "<mujoco><compiler discardvisual='true' fusestatic='true' balanceinertia='true'/>"
      "<option timestep='0.01'/><size/><asset/></mujoco>" +
      heavy("a", visual));
  EXPECT_TRUE(w.worldbody.bodies[0].geoms.empty());
  EXPECT_TRUE(w.compiler.balance_inertia);
  EXPECT_EQ(w.option.timestep, 0.01);
  EXPECT_THAT(texts(w),
              ElementsAre(HasSubstr("fusestatic"), HasSubstr("<asset> is not read in a URDF")));
}

TEST(Urdf, ForeignElementsAreSaidOnce) {
  const World w = robot(
      "<transmission name='t'><type>x</type></transmission><transmission name='u'/>"
      "<gazebo reference='a'><material>Gazebo/Red</material></gazebo>" +
      heavy("a", "<self_collide>1</self_collide>") + heavy("b") +
      joint("j", "continuous", "a", "b",
            "<safety_controller k_velocity='1'/><calibration rising='0'/>"
            "<dynamics damping='1' spring_stiffness='3'/>"));
  EXPECT_THAT(texts(w),
              ElementsAre(HasSubstr("r.urdf:2: <transmission> is not simulated"),
                          HasSubstr("<gazebo> is not simulated"),
                          HasSubstr("<self_collide> in <link> is not part of URDF"),
                          HasSubstr("r.urdf:4: <safety_controller>"), HasSubstr("<calibration>"),
                          HasSubstr("attribute 'spring_stiffness' of <dynamics>")));
}

// A comma as decimal point is no concern of a file.
TEST(Urdf, LocaleDoesNotMatter) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"})
    if (std::setlocale(LC_ALL, name)) break;
  const World w = one_joint("continuous", "<origin xyz='1.25 -3.5e-2 0'/>");
  std::setlocale(LC_ALL, before.c_str());
  EXPECT_EQ(w.worldbody.bodies[0].bodies[0].pose.p, Vec3(1.25, -0.035, 0));
}

TEST(Urdf, NamesAreKeptAsTheyAre) {
  const World w = robot(heavy("a &lt;&quot;&amp; \xc3\xa9"));
  EXPECT_EQ(w.worldbody.bodies[0].name, "a <\"& \xc3\xa9");
}

TEST(Urdf, ThreadsReadAtTheSameTime) {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) good += one_joint("planar").worldbody.bodies.size() == 1;
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(good, 200);
}

}  // namespace
}  // namespace abut
