#include "abut/shape/height_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testing.h"

namespace abut {
namespace {

using ::testing::HasSubstr;
using testing::Random;

HeightField bumps(int rows, int cols) {
  HeightField field{rows, cols, {2, 1}, 0.5, 0.25, {}};
  Random random(1);
  for (int i = 0; i < rows * cols; ++i) field.height.push_back(random.uniform(0, 1));
  return field;
}

TEST(HeightField, PassesThroughItsSamples) {
  const HeightField field = bumps(4, 7);
  EXPECT_EQ(check(field), "");
  for (int r = 0; r < 4; ++r)
    for (int c = 0; c < 7; ++c) {
      const Vec3 v = vertex(field, r, c);
      EXPECT_NEAR(height(field, v.x(), v.y()), v.z(), 1e-14);
    }
  EXPECT_EQ(vertex(field, 0, 0).head<2>(), Vec2(-2, -1));
  EXPECT_EQ(vertex(field, 3, 6).head<2>(), Vec2(2, 1));
}

TEST(HeightField, IsLinearOnItsTriangles) {
  // one cell with a raised (high x, low y) corner: the other triangle stays flat
  HeightField field{2, 2, {1, 1}, 1, 0.1, {0, 1, 0, 0}};
  EXPECT_DOUBLE_EQ(height(field, 0.5, -0.5), 0.5);
  EXPECT_DOUBLE_EQ(height(field, 0, 0), 0);  // on the diagonal
  EXPECT_DOUBLE_EQ(height(field, -0.5, 0.5), 0);
  EXPECT_DOUBLE_EQ(height(field, 7, -9), 1);  // beyond the border
}

TEST(HeightField, SurfaceIsTheInterpolationAndClosed) {
  const HeightField field = bumps(5, 6);
  const TriangleMesh mesh = surface(field);
  EXPECT_TRUE(is_consistently_oriented(mesh));
  for (const auto& t : mesh.triangles) {
    const Vec3 c = (mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]]) / 3;
    const bool top = (t[0] < 30) && (t[1] < 30) && (t[2] < 30);
    if (!top) continue;
    EXPECT_NEAR(height(field, c.x(), c.y()), c.z(), 1e-14);
  }
  const Aabb box = aabb(field);
  EXPECT_TRUE((box.min - aabb(mesh).min).isZero(1e-15));
  EXPECT_TRUE((box.max - aabb(mesh).max).isZero(1e-15));
}

TEST(HeightField, SurfaceOfAFlatOneIsABox) {
  const HeightField field{3, 4, {2, 1}, 0.5, 0.25, std::vector<double>(12, 1.0)};
  const MassProperties box =
      transformed(solid_box({2, 1, 0.375}), {{0, 0, 0.125}, Quat::Identity()});
  testing::expect_same(solid_mesh(surface(field)), box, 1e-14, 2);
}

TEST(HeightField, WeighsWhatMuJoCoSays) {
  EXPECT_DOUBLE_EQ(solid_height_field(bumps(3, 3)).mass, 8 * 2 * 1 * (0.25 * 0.5 + 0.5 * 0.25));
  EXPECT_EQ(solid_height_field(bumps(3, 3)).com, Vec3::Zero());
}

TEST(HeightField, Normalises) {
  std::vector<double> h{3, 5, 4};
  normalise_heights(h);
  EXPECT_EQ(h, (std::vector<double>{0, 1, 0.5}));
  h = {2, 2};
  normalise_heights(h);
  EXPECT_EQ(h, (std::vector<double>{0, 0}));
}

TEST(HeightField, SaysWhatIsWrong) {
  HeightField field = bumps(3, 3);
  field.height.pop_back();
  EXPECT_THAT(check(field), HasSubstr("8 heights; 3 rows of 3 need 9"));
  field = bumps(3, 3);
  field.height[4] = 1.5;
  EXPECT_THAT(check(field), HasSubstr("row 1, column 1"));
  field = bumps(3, 3);
  field.z_bottom = 0;
  EXPECT_THAT(check(field), HasSubstr("four positive lengths"));
  field.rows = 1;
  EXPECT_THAT(check(field), HasSubstr("at least 2"));
}

}  // namespace
}  // namespace abut
