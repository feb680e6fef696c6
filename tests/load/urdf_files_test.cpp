// Files that a URDF names: packages, fallbacks, formats.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "abut/load/load.h"

namespace abut {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const char* const kTetra =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

class UrdfFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    folder_ =
        fs::temp_directory_path() / ("abut_urdf_" + std::to_string(::getpid()) + info->name());
    fs::create_directories(folder_);
  }
  void TearDown() override {
    for (const char* v : {"ABUT_PACKAGE_PATH", "ROS_PACKAGE_PATH", "AMENT_PREFIX_PATH"})
      ::unsetenv(v);
    fs::remove_all(folder_);
  }

  fs::path write(const fs::path& name, const std::string& text) {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  fs::path robot(const fs::path& name, const std::string& mesh, const char* kind = "collision",
                 const std::string& extra = "") {
    const std::string k(kind);
    return write(name, "<robot name='r'>\n" + extra + "<link name='a'>\n<" + k +
                           "><geometry><mesh filename='" + mesh + "' scale='2 2 2'/></geometry></" +
                           k + "></link></robot>");
  }
  static std::string error_of(const fs::path& file) {
    try {
      load_model(file);
    } catch (const WorldError& e) {
      return e.what();
    }
    return "no error";
  }
  fs::path folder_;
};

TEST_F(UrdfFiles, RelativePath) {
  write("parts/t.obj", kTetra);
  const World w = load_world(robot("r.urdf", "parts/t.obj"));
  ASSERT_EQ(w.meshes.size(), 1u);
  EXPECT_EQ(w.meshes[0].name, "t");
  EXPECT_EQ(w.meshes[0].scale, Vec3(2, 2, 2));
  EXPECT_EQ(
      load_world(robot("r.urdf", "file://" + (folder_ / "parts/t.obj").string())).meshes.size(),
      1u);
}

TEST_F(UrdfFiles, PackageByItsXml) {
  write("some-clone/package.xml", "<package format='2'><name> my_robot </name></package>");
  write("some-clone/meshes/visual/t.obj", kTetra);
  EXPECT_EQ(
      error_of(robot("some-clone/urdf/deep/r.urdf", "package://my_robot/meshes/visual/t.obj")),
      "no error");
}

TEST_F(UrdfFiles, PackageByItsFolder) {
  write("my_robot/meshes/t.obj", kTetra);
  EXPECT_EQ(error_of(robot("my_robot/urdf/r.urdf", "package://my_robot/meshes/t.obj")), "no error");
  write("other_robot/parts/u.obj", kTetra);
  EXPECT_EQ(error_of(robot("my_robot/urdf/r.urdf", "package://other_robot/parts/u.obj")),
            "no error");
}

TEST_F(UrdfFiles, PackageOnASearchPath) {
  write("ws/src/my_robot/parts/t.obj", kTetra);
  const fs::path file = robot("elsewhere/r.urdf", "package://my_robot/parts/t.obj");
  EXPECT_THAT(error_of(file), HasSubstr("ABUT_PACKAGE_PATH"));
  const std::string search = (folder_ / "ws/src").string();
  EXPECT_EQ(load_world(file, {.package_path = {search}}).meshes.size(), 1u);
  for (const char* variable : {"ABUT_PACKAGE_PATH", "ROS_PACKAGE_PATH"}) {
    ::setenv(variable, ("/no/such/place::" + search).c_str(), 1);
    EXPECT_EQ(error_of(file), "no error") << variable;
    ::unsetenv(variable);
  }
  write("ros/share/my_robot/parts/t.obj", kTetra);
  ::setenv("AMENT_PREFIX_PATH", (folder_ / "ros").c_str(), 1);
  EXPECT_EQ(error_of(file), "no error");
}

TEST_F(UrdfFiles, FallbackByName) {
  for (const char* place : {"r/t.obj", "r/meshes/t.obj", "r/assets/t.obj", "meshes/t.obj"}) {
    const fs::path mesh = write(place, kTetra);
    EXPECT_EQ(error_of(robot("r/r.urdf", "package://nobody/x/t.obj")), "no error") << place;
    fs::remove(mesh);
  }
  write("r/far/t.obj", kTetra);
  EXPECT_EQ(error_of(robot("r/r.urdf", "x/t.obj", "collision",
                           "<mujoco><compiler meshdir='far' strippath='true'/></mujoco>")),
            "no error");
}

TEST_F(UrdfFiles, MissingCollisionMeshIsAnErrorWithThePlaces) {
  const std::string error = error_of(robot("r.urdf", "package://p/no.stl"));
  EXPECT_THAT(error, HasSubstr("r.urdf:3: no mesh file 'package://p/no.stl'"));
  EXPECT_THAT(error, HasSubstr((folder_ / "meshes/no.stl").string()));
}

TEST_F(UrdfFiles, MissingVisualMeshIsAWarning) {
  const World w = load_world(robot("r.urdf", "no.stl", "visual"));
  ASSERT_EQ(w.warnings.size(), 1u);
  EXPECT_EQ(w.warnings[0].source.line, 3);
  EXPECT_THAT(w.warnings[0].text, HasSubstr("the visual mesh 'no.stl' is left out"));
  EXPECT_TRUE(w.worldbody.bodies[0].geoms.empty());
  write("bad.stl", "solid of nothing");
  EXPECT_EQ(load_world(robot("r.urdf", "bad.stl", "visual")).warnings.size(), 1u);
}

TEST_F(UrdfFiles, TwoMeshesOfOneName) {
  write("a/t.obj", kTetra);
  write("b/t.obj", kTetra);
  const auto shape = [](const std::string& file) {
    return "<collision><geometry><mesh filename='" + file + "'/></geometry></collision>";
  };
  const World w =
      load_world(write("r.urdf", "<robot name='r'><link name='a'>" + shape("a/t.obj") +
                                     shape("b/t.obj") + shape("a/t.obj") + "</link></robot>"));
  ASSERT_EQ(w.meshes.size(), 2u);
  EXPECT_EQ(w.meshes[1].name, "t1");
  EXPECT_EQ(w.worldbody.bodies[0].geoms[2].mesh, "t");
}

// A triangle pyramid in centimetres, moved by its node; z is up, which turns nothing.
TEST_F(UrdfFiles, ColladaHasUnitsAndNodes) {
  write("t.dae", R"(<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
  <asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
  <library_geometries><geometry id="g"><mesh>
    <source id="p"><float_array id="pa" count="12">0 0 0 100 0 0 0 100 0 0 0 100</float_array>
      <technique_common><accessor source="#pa" count="4" stride="3"><param name="X" type="float"/>
      <param name="Y" type="float"/><param name="Z" type="float"/></accessor></technique_common></source>
    <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
    <triangles count="4"><input semantic="VERTEX" source="#v" offset="0"/>
      <p>0 2 1 0 1 3 0 3 2 1 2 3</p></triangles>
  </mesh></geometry></library_geometries>
  <library_visual_scenes><visual_scene id="s"><node id="n"><translate>0 0 50</translate>
    <instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
  <scene><instance_visual_scene url="#s"/></scene>
</COLLADA>)");
  const World w = load_world(robot("r.urdf", "t.dae"));
  ASSERT_EQ(w.meshes.size(), 1u);
  Vec3 low = Vec3::Constant(9), high = Vec3::Constant(-9);
  for (const Vec3& v : w.meshes[0].vertices) {
    low = low.cwiseMin(v);
    high = high.cwiseMax(v);
  }
  EXPECT_TRUE(low.isApprox(Vec3(0, 0, 0.5), 1e-6)) << low.transpose();
  EXPECT_TRUE(high.isApprox(Vec3(1, 1, 1.5), 1e-6)) << high.transpose();
  EXPECT_EQ(w.meshes[0].faces.size(), 4u);
}

TEST_F(UrdfFiles, WhatAssimpCannotRead) {
  write("t.dae", "<COLLADA>");
  EXPECT_THAT(error_of(robot("r.urdf", "t.dae")), HasSubstr("assimp cannot read it"));
  write("t.xyz123", "?");
  EXPECT_THAT(error_of(robot("r.urdf", "t.xyz123")), HasSubstr("write it as STL or OBJ"));
}

}  // namespace
}  // namespace abut
