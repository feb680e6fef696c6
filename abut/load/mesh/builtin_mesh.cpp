#include "abut/load/mesh/builtin_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "abut/load/attributes.h"
#include "abut/load/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

using std::numbers::pi;

constexpr int kMostAround = 1000;  // of resolutions that MuJoCo does not limit

using Params = std::vector<double>;
using Points = std::vector<Vec3>;

int whole(const Element& e, const Params& params, std::size_t k, int least, int most) {
  const double value = params[k];
  if (!(value >= least && value <= most))
    fail(e, "params", fmt::format("number {} is {}; write {} to {}", k + 1, value, least, most));
  return static_cast<int>(value);
}

double between(const Element& e, const Params& params, std::size_t k, double least, double most,
               bool open) {
  const double value = params[k];
  if (!(value <= most && (open ? value > least : value >= least)))
    fail(e, "params",
         fmt::format("number {} is {}; write {} {}, and at most {}", k + 1, value,
                     open ? "more than" : "at least", least, most));
  return value;
}

// Sides of an icosahedron halved, again and again, onto the sphere.
TriangleMesh sphere(const Element& e, const Params& params) {
  const double a = 1, b = std::numbers::phi;
  Points points = {{-a, b, 0},  {a, b, 0},  {-a, -b, 0}, {a, -b, 0}, {0, -a, b},  {0, a, b},
                   {0, -a, -b}, {0, a, -b}, {b, 0, -a},  {b, 0, a},  {-b, 0, -a}, {-b, 0, a}};
  for (Vec3& p : points) p.normalize();
  // pairs of neighbours: of an icosahedron those that are nearest
  std::vector<std::array<int, 3>> triangles;
  const int count = static_cast<int>(points.size());
  const double side = 1.1 * (points[0] - points[1]).norm();
  const auto near = [&](int i, int j) { return (points[at(i)] - points[at(j)]).norm() < side; };
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j)
      for (int k = j + 1; k < count; ++k)
        if (near(i, j) && near(j, k) && near(i, k)) triangles.push_back({i, j, k});

  for (int s = whole(e, params, 0, 0, 4); s > 0; --s) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int i, int j) {
      const auto [found, added] =
          middles.try_emplace(std::minmax(i, j), static_cast<int>(points.size()));
      if (added) points.push_back((points[at(i)] + points[at(j)]).normalized());
      return found->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [i, j, k] : triangles) {
      const int ij = middle(i, j), jk = middle(j, k), ki = middle(k, i);
      finer.push_back({i, ij, ki});
      finer.push_back({j, jk, ij});
      finer.push_back({k, ki, jk});
      finer.push_back({ij, jk, ki});
    }
    triangles = std::move(finer);
  }
  return {std::move(points), {}};
}

// Rows of an octahedron's upper half, onto the sphere.
TriangleMesh hemisphere(const Element& e, const Params& params) {
  const int rows = whole(e, params, 0, 0, 10) + 1;
  const Vec3 pole = Vec3::UnitZ();
  const Vec3 corners[] = {Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitX(), -Vec3::UnitY()};
  Points points = {pole};
  for (int row = 1; row <= rows; ++row)
    for (int side = 0; side < 4; ++side)
      for (int k = 0; k < row; ++k) {
        const double down = static_cast<double>(row) / rows, along = static_cast<double>(k) / row;
        const Vec3 corner = (1 - along) * corners[side] + along * corners[(side + 1) % 4];
        points.push_back(((1 - down) * pole + down * corner).normalized());
      }
  return {std::move(points), {}};
}

TriangleMesh cone(const Element& e, const Params& params) {
  const int count = whole(e, params, 0, 3, kMostAround);
  const double top = between(e, params, 1, 0, 1, false);
  Points points;
  const auto ring = [&](double radius, double z) {
    for (int i = 0; i < count; ++i) {
      const double angle = 2 * pi * i / count;
      points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
  };
  ring(1, -1);
  if (top > 0)
    ring(top, 1);
  else
    points.emplace_back(0, 0, 1);
  return {std::move(points), {}};
}

// sign(x) |x|^exponent: cosine and sine of superellipses (Barr 1981).
double signed_power(double x, double exponent) {
  const double size = std::abs(x) < kNoSine ? 0 : std::abs(x);
  return std::copysign(exponent == 0 ? (size > 0 ? 1 : 0) : std::pow(size, exponent), x);
}

// Quadrilaterals between two rings of `count` points, the second further along.
void add_band(int first, int second, int count, std::vector<std::array<int, 3>>& triangles) {
  for (int j = 0; j < count; ++j) {
    const int next = (j + 1) % count;
    triangles.push_back({first + j, first + next, second + j});
    triangles.push_back({first + next, second + next, second + j});
  }
}

TriangleMesh supersphere(const Element& e, const Params& params) {
  const int count = whole(e, params, 0, 3, kMostAround);
  const double east = between(e, params, 1, 0, kMostAround, false),
               north = between(e, params, 2, 0, kMostAround, false);
  TriangleMesh mesh;
  mesh.vertices.push_back(-Vec3::UnitZ());
  for (int i = 1; i < count; ++i) {
    const double v = pi * (static_cast<double>(i) / count - 0.5);
    const double radius = signed_power(std::cos(v), north), z = signed_power(std::sin(v), north);
    for (int j = 0; j < count; ++j) {
      const double u = pi * (2.0 * j / count - 1);
      mesh.vertices.emplace_back(radius * signed_power(std::cos(u), east),
                                 radius * signed_power(std::sin(u), east), z);
    }
  }
  mesh.vertices.push_back(Vec3::UnitZ());
  const int top = static_cast<int>(mesh.vertices.size()) - 1, last = top - count;
  for (int j = 0; j < count; ++j) {
    const int next = (j + 1) % count;
    mesh.triangles.push_back({0, 1 + next, 1 + j});
    mesh.triangles.push_back({last + j, last + next, top});
  }
  for (int i = 0; i + 2 < count; ++i)
    add_band(1 + i * count, 1 + (i + 1) * count, count, mesh.triangles);
  return mesh;
}

TriangleMesh supertorus(const Element& e, const Params& params) {
  const int count = whole(e, params, 0, 3, kMostAround);
  const double small = between(e, params, 1, 0, 1, true),
               s = between(e, params, 2, 0, kMostAround, true),
               t = between(e, params, 3, 0, kMostAround, true);
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      const double u = 2 * pi * i / count, v = 2 * pi * j / count;
      const double radius = 1 + small * signed_power(std::cos(v), s);
      mesh.vertices.emplace_back(radius * signed_power(std::cos(u), t),
                                 radius * signed_power(std::sin(u), t),
                                 small * signed_power(std::sin(v), s));
    }
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      const int a = i * count + j, b = (i + 1) % count * count + j;
      const int c = (i + 1) % count * count + (j + 1) % count, d = i * count + (j + 1) % count;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({b, c, d});
    }
  return mesh;
}

struct Maker {
  std::string_view name;
  std::size_t numbers;
  TriangleMesh (*make)(const Element&, const Params&);
};

constexpr Maker kMakers[] = {{"sphere", 1, sphere},
                             {"hemisphere", 1, hemisphere},
                             {"cone", 2, cone},
                             {"supersphere", 3, supersphere},
                             {"supertorus", 4, supertorus}};

}  // namespace

TriangleMesh builtin_mesh(const Element& e) {
  const std::string_view name = e.text("builtin");
  if (name == "wedge" || name == "plate")
    fail(e, "builtin", "abut has no tactile sensors, which this mesh is for; remove it");
  const auto* maker = std::find_if(std::begin(kMakers), std::end(kMakers),
                                   [&](const Maker& m) { return m.name == name; });
  if (maker == std::end(kMakers))
    fail(e, "builtin", "write one of sphere, hemisphere, cone, supersphere, supertorus");
  Params params;
  read_list(e, "params", params);
  if (params.size() != maker->numbers)
    fail(e, "params",
         fmt::format("'{}' needs {} numbers, has {}", name, maker->numbers, params.size()));
  return maker->make(e, params);
}

}  // namespace abut
