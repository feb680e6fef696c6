#include "abut/load/mesh/mesh_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "abut/load/load.h"

namespace abut {
namespace {

using Faces = std::vector<std::array<int, 3>>;
using testing::HasSubstr;

template <typename F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const WorldError& e) {
    return e.what();
  }
  return "no error";
}

template <typename... T>
std::string bytes(T... values) {
  std::string all;
  const auto add = [&](auto v) { all.append(reinterpret_cast<const char*>(&v), sizeof v); };
  (add(values), ...);
  return all;
}

TEST(ObjFile, VerticesFacesAndAllTheWaysToNameThem) {
  const TriangleMesh m = read_obj(
      "# a comment\no thing\nv 0 0 0 1.0\nv +1 0 0\nvn 0 0 1\nvt 0 0\nv 0 1e0 0\r\nv 0 0 1\n"
      "s off\nusemtl x\nf 1 3 2\nf 1/1 2/1 4/1\nf 1//1 4//1 3//1\nf -3/1/1 \\\n -2 -1",
      "t.obj");
  EXPECT_EQ(m.vertices.size(), 4u);
  EXPECT_EQ(m.vertices[2], Vec3(0, 1, 0));
  EXPECT_EQ(m.triangles, (Faces{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}));
}

// MuJoCo reads the first object, readers of URDF all of them.
TEST(ObjFile, OfSeveralObjectsTheFirstOrAll) {
  const char* text =
      "v 9 9 9\no one\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 2 3 4\n"
      "g two\nv 5 0 0\nv 6 0 0\nv 5 1 0\nf 5 6 7\n";
  const TriangleMesh all = read_obj(text, "two.obj", ObjObjects::all);
  EXPECT_EQ(all.vertices.size(), 7u);
  EXPECT_EQ(all.triangles.size(), 2u);
  const TriangleMesh first = read_obj(text, "two.obj", ObjObjects::first);
  ASSERT_EQ(first.vertices.size(), 3u);
  EXPECT_EQ(first.vertices[1], Vec3(1, 0, 0));
  ASSERT_EQ(first.triangles.size(), 1u);
  EXPECT_EQ(first.triangles[0], (std::array<int, 3>{0, 1, 2}));
}

TEST(ObjFile, CoordinatesAreFloatsAsInMujoco) {
  const TriangleMesh m = read_obj("v 0.1 1e-60 3\n", "t.obj");
  EXPECT_EQ(m.vertices[0], Vec3(0.1f, 0, 3));
}

TEST(ObjFile, QuadsAreCutAlongTheShorterDiagonal) {
  const TriangleMesh wide = read_obj("v 0 0 0\nv 2 1 0\nv 4 0 0\nv 2 -1 0\nf 1 4 3 2\n", "t.obj");
  EXPECT_EQ(wide.triangles, (Faces{{0, 3, 1}, {3, 2, 1}}));
  const TriangleMesh tall = read_obj("v 0 0 0\nv 2 4 0\nv 4 0 0\nv 2 -4 0\nf 1 4 3 2\n", "t.obj");
  EXPECT_EQ(tall.triangles, (Faces{{0, 3, 2}, {0, 2, 1}}));
}

TEST(ObjFile, PolygonsThatAreNotConvexKeepTheirArea) {
  // an L and its mirror image, seen from above and from below
  for (const char* face : {"f 1 2 3 4 5 6\n", "f 6 5 4 3 2 1\n"}) {
    const TriangleMesh m = read_obj(
        std::string("v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 3 0\nv 0 3 0\n") + face, "t.obj");
    ASSERT_EQ(m.triangles.size(), 4u);
    double area = 0, sum = 0;
    for (const auto& t : m.triangles) {
      const auto at = [&](int k) {
        return m.vertices[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])];
      };
      const double z = 0.5 * (at(1) - at(0)).cross(at(2) - at(0)).z();
      area += std::abs(z);
      sum += z;
    }
    EXPECT_NEAR(area, 5, 1e-12);
    EXPECT_NEAR(std::abs(sum), 5, 1e-12);
  }
}

TEST(ObjFile, BrokenOnesSayTheirLine) {
  const auto error = [](const char* text) { return error_of([&] { read_obj(text, "t.obj"); }); };
  EXPECT_THAT(error("v 0 0 0\nv 0 0 x\n"), HasSubstr("t.obj:2: 'x' is not a usable number"));
  EXPECT_THAT(error("v 0 0\n"), HasSubstr("t.obj:1:"));
  EXPECT_THAT(error("v nan 0 0\n"), HasSubstr("not a usable number"));
  EXPECT_THAT(error("v 0 0 0\nf 1 2 3\n"), HasSubstr("t.obj:2: a face names the vertex '2'"));
  EXPECT_THAT(error("v 0 0 0\nf 1 1\n"), HasSubstr("fewer than three corners"));
  EXPECT_THAT(error("v 0 0 0\nf 1 1 0\n"), HasSubstr("names the vertex '0'"));
}

const float kCorners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
const int kFaces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

TEST(StlFile, BinaryAndTextGiveTheSame) {
  std::string binary(80, ' '), text = "solid t\n";
  binary.replace(0, 5, "solid");
  binary += bytes(std::uint32_t{4});
  for (const auto& face : kFaces) {
    binary += bytes(0.f, 0.f, 0.f);
    text += "facet normal 0 0 0\n outer loop\n";
    for (int k : face) {
      const float* p = kCorners[k];
      binary += bytes(p[0], p[1], p[2]);
      text += "  vertex " + std::to_string(p[0]) + " " + std::to_string(p[1]) + " " +
              std::to_string(p[2]) + "\n";
    }
    binary += bytes(std::uint16_t{0});
    text += " endloop\nendfacet\n";
  }
  text += "endsolid t\n";
  const TriangleMesh a = read_stl(binary, "a.stl"), b = read_stl(text, "b.stl");
  EXPECT_EQ(a.vertices.size(), 4u);  // corners at the same place are one vertex
  EXPECT_EQ(a.triangles.size(), 4u);
  EXPECT_EQ(a.vertices, b.vertices);
  EXPECT_EQ(a.triangles, b.triangles);

  const auto error = [](const std::string& t) { return error_of([&] { read_stl(t, "t.stl"); }); };
  EXPECT_THAT(error(binary.substr(0, 200)), HasSubstr("cut short"));
  EXPECT_THAT(error(text.substr(0, text.size() / 2)), HasSubstr("t.stl:"));
  EXPECT_THAT(error("solid"), HasSubstr("neither"));
  std::string nan = binary;
  const float bad = NAN;
  std::memcpy(nan.data() + 84 + 12, &bad, sizeof bad);
  EXPECT_THAT(error(nan), HasSubstr("not a usable number"));
}

TEST(MshFile, CountsThenArrays) {
  std::string msh = bytes(std::int32_t{4}, std::int32_t{4}, std::int32_t{4}, std::int32_t{4});
  for (const auto& p : kCorners) msh += bytes(p[0], p[1], p[2]);
  msh += std::string(4 * 4 * 3 + 4 * 4 * 2, '\0');  // normals, texture coordinates
  for (const auto& f : kFaces) msh += bytes(f[0], f[1], f[2]);
  const TriangleMesh m = read_msh(msh, "t.msh");
  EXPECT_EQ(m.vertices[3], Vec3(0, 0, 1));
  EXPECT_EQ(m.triangles[3], (std::array<int, 3>{1, 2, 3}));
  EXPECT_THAT(error_of([&] { read_msh(msh.substr(4), "t.msh"); }), HasSubstr("t.msh: its counts"));
  EXPECT_THAT(error_of([&] { read_msh("abc", "t.msh"); }), HasSubstr("too short"));
  const int wrong = 9;
  std::memcpy(msh.data() + msh.size() - 4, &wrong, 4);
  EXPECT_THAT(error_of([&] { read_msh(msh, "t.msh"); }), HasSubstr("no vertex 9"));
}

}  // namespace
}  // namespace abut
