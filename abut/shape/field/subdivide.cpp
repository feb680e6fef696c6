#include "abut/shape/field/subdivide.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "abut/math/index.h"
#include "abut/shape/error.h"

namespace abut {
namespace {

using Side = std::pair<int, int>;

Side side_of(const std::array<int, 3>& t, int k) {
  return std::minmax(t[at(k)], t[at((k + 1) % 3)]);
}

// Of equals the same for both triangles of a side: by its vertices.
int longest_side(const TriangleMesh& mesh, const std::array<int, 3>& t) {
  int best = 0;
  const auto rank = [&](int k) {
    const auto [a, b] = side_of(t, k);
    return std::tuple((mesh.vertices[at(a)] - mesh.vertices[at(b)]).squaredNorm(), a, b);
  };
  for (int k = 1; k < 3; ++k)
    if (rank(k) > rank(best)) best = k;
  return best;
}

double area_of(const TriangleMesh& mesh, const std::array<int, 3>& t) {
  const Vec3& a = mesh.vertices[at(t[0])];
  return 0.5 * (mesh.vertices[at(t[1])] - a).cross(mesh.vertices[at(t[2])] - a).norm();
}

// One round: halves the longest sides of large triangles, and cuts every triangle at the sides that were
// halved.
bool halve(TriangleMesh& mesh, double largest) {
  std::map<Side, int> middle;
  for (const std::array<int, 3>& t : mesh.triangles) {
    if (area_of(mesh, t) <= largest) continue;
    const Side side = side_of(t, longest_side(mesh, t));
    if (!middle.try_emplace(side, static_cast<int>(mesh.vertices.size())).second) continue;
    mesh.vertices.push_back(0.5 * (mesh.vertices[at(side.first)] + mesh.vertices[at(side.second)]));
  }
  if (middle.empty()) return false;
  std::vector<std::array<int, 3>> cut;
  std::vector<std::array<int, 3>> left = std::move(mesh.triangles);
  while (!left.empty()) {
    const std::array<int, 3> t = left.back();
    left.pop_back();
    bool is_whole = true;
    for (int k = 0; k < 3 && is_whole; ++k) {
      const auto it = middle.find(side_of(t, k));
      if (it == middle.end()) continue;
      const int a = t[at(k)], b = t[at((k + 1) % 3)], c = t[at((k + 2) % 3)];
      left.push_back({a, it->second, c});
      left.push_back({it->second, b, c});
      is_whole = false;
    }
    if (is_whole) cut.push_back(t);
  }
  mesh.triangles = std::move(cut);
  return true;
}

}  // namespace

TriangleMesh subdivided(TriangleMesh mesh, double largest, std::size_t most) {
  if (!(largest > 0)) return mesh;
  while (halve(mesh, largest))
    if (mesh.triangles.size() > most)
      throw ShapeError(fmt::format("triangles of {:.3g} m^2 would be more than {}", largest, most));
  return mesh;
}

}  // namespace abut
