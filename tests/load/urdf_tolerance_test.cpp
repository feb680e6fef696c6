// URDF that ROS tools accept and that is not quite right: loaded, with one warning each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "abut/load/load.h"
#include "abut/load/urdf/package_path.h"

namespace abut {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kMoments =
    "<inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>";
const std::string kNoMoments =
    "<inertia ixx='0' ixy='0' ixz='0' iyy='0' iyz='0' izz='0'/></inertial>";

std::string link(const std::string& name, const std::string& inside = "") {
  return "<link name='" + name + "'>" + inside + "</link>\n";
}
std::string heavy(const std::string& name) {
  return link(name, "<inertial><mass value='1'/>" + kMoments);
}
std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child, const std::string& inside = "") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + inside + "</joint>\n";
}

World robot(const std::string& inside) {
  return parse_urdf("<robot name='r'>\n" + inside + "</robot>", "r.urdf");
}

std::vector<std::string> texts(const World& world) {
  std::vector<std::string> all;
  for (const Warning& w : world.warnings) all.push_back(to_string(w.source) + ": " + w.text);
  return all;
}

TEST(UrdfTolerance, MaterialsWithoutANameColourTheirOwnLink) {
  const auto ball = [](const std::string& material) {
    return "<visual><geometry><sphere radius='1'/></geometry>" + material + "</visual>";
  };
  const World w = robot(link("a", ball("<material name=''><color rgba='1 0 0 1'/></material>") +
                                      ball("<material name=''><color rgba='0 1 0 1'/></material>") +
                                      ball("<material name=''/>")));
  const auto& geoms = w.worldbody.bodies[0].geoms;
  ASSERT_EQ(geoms.size(), 3u);
  EXPECT_EQ(geoms[0].rgba, Vec4(1, 0, 0, 1));
  EXPECT_EQ(geoms[1].rgba, Vec4(0, 1, 0, 1));
  EXPECT_THAT(texts(w), ElementsAre(HasSubstr("r.urdf:2: a <material> has an empty name")));
}

TEST(UrdfTolerance, LinksWithoutMassThatCarryOthersMove) {
  const World w =
      robot(link("a") + link("b") + link("c", "<inertial><mass value='1e-6'/>" + kNoMoments) +
            heavy("d") + joint("i", "continuous", "a", "b") + joint("j", "continuous", "b", "c") +
            joint("k", "continuous", "c", "d", "<axis xyz='0 1 0'/>"));
  EXPECT_THAT(texts(w), ElementsAre(HasSubstr("r.urdf:3: link 'b' moves without mass")));
  const Model m = compile(w);
  EXPECT_EQ(m.nv, 3);
  EXPECT_EQ(m.bodies[m.find_body("c")].mass.mass, 1e-6);
}

TEST(UrdfTolerance, ADummyLinkAtTheEndMoves) {
  const World w = robot(heavy("a") + link("b", "<inertial><mass value='1e-6'/>" + kNoMoments) +
                        joint("j", "continuous", "a", "b"));
  EXPECT_THAT(texts(w), ElementsAre(HasSubstr("link 'b' moves without mass or inertia")));
  EXPECT_EQ(compile(w).nv, 1);
}

TEST(UrdfTolerance, HugeLimitsAreNone) {
  const World w =
      robot(link("a") + heavy("b") +
            joint("j", "revolute", "a", "b", "<limit lower='-1e16' upper='1e16' effort='1e16'/>"));
  const JointDesc& j = w.worldbody.bodies[0].bodies[0].joints[0];
  EXPECT_EQ(j.limited, std::nullopt);
  EXPECT_EQ(j.actuatorfrclimited, std::nullopt);
  EXPECT_THAT(texts(w), ElementsAre(HasSubstr("r.urdf:4: limits of 1e+10 and more")));
  EXPECT_FALSE(compile(w).joints[0].limited);
}

TEST(UrdfTolerance, AFixedJointMimicsNothing) {
  const World w = robot(link("a") + heavy("b") + heavy("c") +
                        joint("j", "fixed", "a", "b", "<mimic joint='k'/>") +
                        joint("k", "continuous", "b", "c"));
  EXPECT_TRUE(w.equalities.empty());
  EXPECT_THAT(texts(w), ElementsAre(HasSubstr("joint 'j' is fixed; its <mimic> is ignored")));
}

TEST(UrdfTolerance, AMimicOfAFixedJointStaysAtItsOffset) {
  const World w =
      robot(link("a") + heavy("b") + heavy("c") + joint("j", "fixed", "a", "b") +
            joint("k", "continuous", "b", "c", "<mimic joint='j' multiplier='3' offset='0.25'/>"));
  ASSERT_EQ(w.equalities.size(), 1u);
  EXPECT_EQ(w.equalities[0].second, "");
  EXPECT_EQ(w.equalities[0].polycoef[0], 0.25);
  EXPECT_EQ(w.equalities[0].polycoef[1], 0);
  EXPECT_THAT(texts(w), ElementsAre(HasSubstr("mimics the fixed joint 'j'")));
  compile(w);
}

TEST(UrdfTolerance, PackagesWithASlashTooManyAreFound) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "abut_tolerance" / "arm";
  std::filesystem::create_directories(folder / "meshes");
  std::ofstream(folder / "meshes" / "x.stl") << "solid\n";
  PackagePlaces places;
  places.directory = folder;
  EXPECT_EQ(find_package_file("package:///arm/meshes/x.stl", places).path,
            folder / "meshes" / "x.stl");
  EXPECT_EQ(find_package_file("package:///meshes/x.stl", places).path, folder / "meshes" / "x.stl");
  std::filesystem::remove_all(folder.parent_path());
}

}  // namespace
}  // namespace abut
