#include "abut/shape/height_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace abut {

std::string check(const HeightField& field) {
  if (field.rows < 2 || field.cols < 2) {
    return fmt::format("hfield has {} rows and {} columns; it needs at least 2 of each", field.rows,
                       field.cols);
  }
  const auto wanted = static_cast<std::size_t>(field.rows) * static_cast<std::size_t>(field.cols);
  if (field.height.size() != wanted) {
    return fmt::format("hfield has {} heights; {} rows of {} need {}", field.height.size(),
                       field.rows, field.cols, wanted);
  }
  const auto positive = [](double x) { return std::isfinite(x) && x > 0; };
  if (!positive(field.size.x()) || !positive(field.size.y()) || !positive(field.z_top) ||
      !positive(field.z_bottom)) {
    return fmt::format(
        "hfield size is {} {} {} {} m; write four positive lengths: half extents along x and y, "
        "elevation, base",
        field.size.x(), field.size.y(), field.z_top, field.z_bottom);
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    if (!(field.height[i] >= 0 && field.height[i] <= 1)) {
      return fmt::format("hfield height {} of row {}, column {} is not within 0 and 1",
                         field.height[i], i / static_cast<std::size_t>(field.cols),
                         i % static_cast<std::size_t>(field.cols));
    }
  }
  return "";
}

void normalise_heights(std::vector<double>& height) {
  if (height.empty()) return;
  const auto [low, high] = std::minmax_element(height.begin(), height.end());
  const double base = *low, range = *high - *low;
  for (double& h : height) h = range > 0 ? (h - base) / range : 0;
}

Vec3 vertex(const HeightField& field, int row, int col) {
  return {field.size.x() * (2.0 * col / (field.cols - 1) - 1),
          field.size.y() * (2.0 * row / (field.rows - 1) - 1), field.z_top * field.at(row, col)};
}

double height(const HeightField& field, double x, double y) {
  // the cell, and where in it from 0 to 1
  const auto locate = [](double t, double half, int n) {
    const double s = std::clamp((t / half + 1) / 2, 0.0, 1.0) * (n - 1);
    const int cell = std::min(static_cast<int>(s), n - 2);
    return std::pair(cell, s - cell);
  };
  const auto [c, u] = locate(x, field.size.x(), field.cols);
  const auto [r, v] = locate(y, field.size.y(), field.rows);
  const double h00 = field.at(r, c), h11 = field.at(r + 1, c + 1);
  // the triangle with the low-x-high-y corner, or the one with the high-x-low-y corner
  const double h = v > u ? h00 + u * (h11 - field.at(r + 1, c)) + v * (field.at(r + 1, c) - h00)
                         : h00 + u * (field.at(r, c + 1) - h00) + v * (h11 - field.at(r, c + 1));
  return field.z_top * h;
}

Aabb aabb(const HeightField& field) {
  const double high =
      field.height.empty() ? 0 : *std::max_element(field.height.begin(), field.height.end());
  return {{-field.size.x(), -field.size.y(), -field.z_bottom},
          {field.size.x(), field.size.y(), field.z_top * high}};
}

int triangle_count(const HeightField& field) { return 2 * (field.rows - 1) * (field.cols - 1); }

std::array<Vec3, 3> triangle(const HeightField& field, int index) {
  const int cell = index / 2, row = cell / (field.cols - 1), col = cell % (field.cols - 1);
  const Vec3 low = vertex(field, row, col), high = vertex(field, row + 1, col + 1);
  if (index % 2 == 0) return {low, vertex(field, row, col + 1), high};
  return {low, high, vertex(field, row + 1, col)};
}

TriangleMesh surface(const HeightField& field) {
  TriangleMesh mesh;
  const int rows = field.rows, cols = field.cols, n = rows * cols;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < cols; ++c) mesh.vertices.push_back(vertex(field, r, c));
  // the base has the top's grid, so that walls and base meet it edge to edge
  for (int i = 0; i < n; ++i) {
    mesh.vertices.emplace_back(mesh.vertices[i].x(), mesh.vertices[i].y(), -field.z_bottom);
  }
  const auto quad = [&](int a, int b, int c, int d) {  // cut from a to c
    mesh.triangles.push_back({a, b, c});
    mesh.triangles.push_back({a, c, d});
  };
  const auto id = [&](int r, int c) { return r * cols + c; };
  for (int r = 0; r + 1 < rows; ++r) {
    for (int c = 0; c + 1 < cols; ++c) {
      const int a = id(r, c), b = id(r, c + 1), d = id(r + 1, c), e = id(r + 1, c + 1);
      quad(a, b, e, d);
      quad(n + a, n + d, n + e, n + b);
    }
  }
  const auto wall = [&](int a, int b) { quad(n + a, n + b, b, a); };  // a -> b, inside on the left
  for (int c = 0; c + 1 < cols; ++c) {
    wall(id(0, c), id(0, c + 1));
    wall(id(rows - 1, c + 1), id(rows - 1, c));
  }
  for (int r = 0; r + 1 < rows; ++r) {
    wall(id(r, cols - 1), id(r + 1, cols - 1));
    wall(id(r + 1, 0), id(r, 0));
  }
  return mesh;
}

namespace {

Vec3 equivalent_box(const HeightField& field) {
  return {field.size.x(), field.size.y(), 0.25 * field.z_top + 0.5 * field.z_bottom};
}

}  // namespace

MassProperties solid_height_field(const HeightField& field) {
  return solid_box(equivalent_box(field));
}
MassProperties shell_height_field(const HeightField& field) {
  return shell_box(equivalent_box(field));
}

}  // namespace abut
