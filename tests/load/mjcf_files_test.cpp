// Files beside files: includes, asset folders, attached models.
#include <gtest/gtest.h>

#include <fstream>

#include "abut/load/load.h"

namespace abut {
namespace {

namespace fs = std::filesystem;

class MjcfFiles : public testing::Test {
 protected:
  MjcfFiles() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() /
              (std::string("abut_load_") + test->name() + "_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  ~MjcfFiles() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) const {
    const fs::path path = folder_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
    return path;
  }
  std::string error_of(const fs::path& path) const {
    try {
      load_world(path);
    } catch (const WorldError& e) {
      return e.what();
    }
    return "no error";
  }

  fs::path folder_;
};

constexpr const char* kTetra =
    "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

TEST_F(MjcfFiles, IncludesAreSplicedInAnywhere) {
  write("parts/limb.xml",
        "<mujoco>\n\n<geom name='in' size='1'/><include file='deep.xml'/></mujoco>");
  write("parts/deep.xml", "<x><site name='deep'/></x>");  // beside the including file
  write("options.xml", "<mujoco><option timestep='0.5'/></mujoco>");
  const World w = load_world(write("main.xml", R"(<mujoco><include file="options.xml"/>
    <worldbody><body name="b"><include file="parts/limb.xml"/></body></worldbody></mujoco>)"));
  EXPECT_EQ(w.option.timestep, 0.5);
  const BodyDesc& body = w.worldbody.bodies[0];
  EXPECT_EQ(body.geoms[0].name, "in");
  EXPECT_EQ(body.sites[0].name, "deep");
  EXPECT_EQ(to_string(body.geoms[0].source), (folder_ / "parts/limb.xml").string() + ":3");
}

TEST_F(MjcfFiles, IncludeCyclesAndRepeatsAreErrors) {
  write("a.xml", "<mujoco><include file='b.xml'/></mujoco>");
  write("b.xml", "<mujoco><include file='./a.xml'/></mujoco>");
  EXPECT_NE(error_of(folder_ / "a.xml").find("b.xml:1: './a.xml' is included already"),
            std::string::npos)
      << error_of(folder_ / "a.xml");
  write("o.xml", "<mujoco><option/></mujoco>");
  const auto twice =
      write("twice.xml", "<mujoco>\n<include file='o.xml'/>\n<include file='o.xml'/></mujoco>");
  EXPECT_NE(error_of(twice).find("twice.xml:3:"), std::string::npos);
}

TEST_F(MjcfFiles, MeshesAreFoundWhereTheCompilerSays) {
  write("assets/t.obj", kTetra);
  write("assets/deep/u.obj", kTetra);
  for (const char* compiler :
       {"meshdir='assets'", "assetdir='assets/'", "meshdir='assets' strippath='false'"})
    EXPECT_EQ(load_world(write("m.xml", std::string("<mujoco><compiler ") + compiler +
                                            "/><asset><mesh file='t.obj'/></asset></mujoco>"))
                  .meshes[0]
                  .name,
              "t");
  const World stripped =
      load_world(write("s.xml", R"(<mujoco><compiler meshdir="assets" strippath="true"/>
    <asset><mesh file="some/where/t.obj"/></asset></mujoco>)"));
  EXPECT_EQ(stripped.meshes[0].vertices.size(), 4u);
  // an included file may name what is beside it
  write("assets/deep/inc.xml", "<mujoco><asset><mesh file='u.obj'/></asset></mujoco>");
  const World inc =
      load_world(write("i.xml", "<mujoco><include file='assets/deep/inc.xml'/></mujoco>"));
  EXPECT_EQ(inc.meshes[0].name, "u");
}

TEST_F(MjcfFiles, ContentTypeOverridesTheExtension) {
  write("t.dat", kTetra);
  const World w = load_world(write("m.xml", R"(<mujoco><asset>
    <mesh file="t.dat" content_type="model/obj"/></asset></mujoco>)"));
  EXPECT_EQ(w.meshes[0].faces.size(), 4u);
  write("t.bin", "");
  EXPECT_NE(error_of(write("n.xml", "<mujoco><asset><mesh file='t.bin'/></asset></mujoco>"))
                .find("OBJ, STL or MSH"),
            std::string::npos);
}

TEST_F(MjcfFiles, AttachPutsAModelUnderAPrefix) {
  write("t.obj", kTetra);
  write("arm.xml", R"(<mujoco model="arm"><compiler angle="radian"/><option timestep="9"/>
    <asset><mesh file="t.obj"/></asset>
    <worldbody><body name="root" pos="0 0 1"><joint name="j" range="0 1"/><geom type="mesh" mesh="t"/>
    <body name="hand"><joint name="h"/><geom size="1"/></body></body><body name="other"><joint name="o"/></body></worldbody>
    <actuator><motor name="m" joint="j"/><motor name="n" joint="o"/></actuator></mujoco>)");
  const World w = load_world(write("main.xml", R"(<mujoco>
    <asset><model name="a" file="arm.xml"/></asset>
    <worldbody>
      <frame pos="1 0 0"><attach model="a" body="root" prefix="left_"/></frame>
      <frame pos="2 0 0"><attach model="a" body="root" prefix="right_"/></frame>
    </worldbody></mujoco>)"));
  ASSERT_EQ(w.worldbody.bodies.size(), 2u);
  const BodyDesc& left = w.worldbody.bodies[0];
  EXPECT_EQ(left.name, "left_root");
  EXPECT_EQ(left.pose.p, Vec3(1, 0, 1));
  EXPECT_EQ(left.joints[0].range[1], 1);  // the model's own radians
  EXPECT_EQ(left.geoms[0].mesh, "left_t");
  EXPECT_EQ(w.worldbody.bodies[1].bodies[0].joints[0].name, "right_h");
  ASSERT_EQ(w.actuators.size(), 2u);  // that of the body left behind stays behind
  EXPECT_EQ(w.actuators[1].name, "right_m");
  EXPECT_EQ(w.actuators[1].target, "right_j");
  EXPECT_EQ(w.option.timestep, 0.002);
  EXPECT_EQ(compile(w).nv, 4);
}

// The frame's own pose stays, those around it go.
TEST_F(MjcfFiles, AttachPutsAFrameOfAModelUnderAPrefix) {
  write("rack.xml", R"(<mujoco model="rack"><worldbody>
    <frame pos="5 0 0"><frame name="shelf" pos="0 2 0" euler="0 0 90">
      <geom name="board" pos="1 0 0" size="1"/>
      <body name="jar" pos="0 0 1"><joint name="lid"/><geom size="0.1"/></body></frame></frame>
    <body name="other"><joint name="o"/><geom size="1"/></body></worldbody>
    <actuator><motor name="m" joint="lid"/><motor name="n" joint="o"/></actuator></mujoco>)");
  const std::string asset = R"(<mujoco><asset><model name="r" file="rack.xml"/></asset>)";
  const World w = load_world(write("main.xml", asset + R"(
    <worldbody><body name="wall" pos="0 0 7"><frame pos="1 0 0">
    <attach model="r" frame="shelf" prefix="a_"/></frame></body></worldbody></mujoco>)"));
  const BodyDesc& wall = w.worldbody.bodies.at(0);
  ASSERT_EQ(wall.geoms.size(), 1u);
  EXPECT_EQ(wall.geoms[0].name, "a_board");
  EXPECT_LT((wall.geoms[0].pose.p - Vec3(1, 3, 0)).norm(), 1e-15);
  ASSERT_EQ(wall.bodies.size(), 1u);
  EXPECT_EQ(wall.bodies[0].name, "a_jar");
  EXPECT_LT((wall.bodies[0].pose.p - Vec3(1, 2, 1)).norm(), 1e-15);
  ASSERT_EQ(w.actuators.size(), 1u);
  EXPECT_EQ(w.actuators[0].target, "a_lid");
  EXPECT_EQ(compile(w).nv, 1);

  EXPECT_NE(error_of(write("no.xml", asset + R"(<worldbody>
    <attach model="r" frame="shelve" prefix="a_"/></worldbody></mujoco>)"))
                .find("no frame 'shelve' in model 'r'; did you mean 'shelf'"),
            std::string::npos);
}

TEST_F(MjcfFiles, NotAWorldAtAll) {
  EXPECT_NE(error_of(folder_ / "none.xml").find("no such file"), std::string::npos);
  EXPECT_NE(error_of(folder_).find("is a directory"), std::string::npos);
  EXPECT_NE(error_of(write("empty.xml", "")).find("is empty"), std::string::npos);
  EXPECT_NE(error_of(write("junk.xml", std::string("\x7f"
                                                   "ELF\0\1\2\3",
                                                   8)))
                .find("XML"),
            std::string::npos);
  EXPECT_NE(error_of(write("robot.xml", "<robot/>")).find("needs a link"), std::string::npos);
  EXPECT_NE(error_of(write("html.xml", "<html/>")).find("<mujoco>"), std::string::npos);
}

}  // namespace
}  // namespace abut
