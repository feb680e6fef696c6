#include "abut/shape/weld.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <unordered_map>

namespace abut {
namespace {

using Cell = std::array<std::int64_t, 3>;

struct CellHash {
  std::size_t operator()(const Cell& cell) const {
    std::uint64_t h = 0;
    for (const std::int64_t c : cell) {
      h = (h ^ static_cast<std::uint64_t>(c)) * 0x9e3779b97f4a7c15ULL;
      h ^= h >> 32;
    }
    return h;
  }
};

// A grid of the tolerance's pitch: twins are in the same cell or in a neighbour. With
// no tolerance a cell is one number's bits (+ 0.0 makes the two zeros equal).
Cell cell_of(const Vec3& p, double tolerance) {
  Cell cell;
  for (int k = 0; k < 3; ++k) {
    cell[k] = tolerance > 0 ? static_cast<std::int64_t>(std::floor(p[k] / tolerance))
                            : std::bit_cast<std::int64_t>(p[k] + 0.0);
  }
  return cell;
}

}  // namespace

std::vector<int> weld(std::span<const Vec3> points, double tolerance) {
  std::unordered_multimap<Cell, int, CellHash> representatives;
  representatives.reserve(points.size());
  const int reach = tolerance > 0 ? 1 : 0;

  const auto find_twin = [&](const Vec3& p, const Cell& home) {
    int twin = -1;
    for (int i = -reach; i <= reach; ++i)
      for (int j = -reach; j <= reach; ++j)
        for (int k = -reach; k <= reach; ++k) {
          const auto [first, last] =
              representatives.equal_range({home[0] + i, home[1] + j, home[2] + k});
          for (auto it = first; it != last; ++it) {
            const bool near = (points[it->second] - p).cwiseAbs().maxCoeff() <= tolerance;
            if (near && (twin < 0 || it->second < twin)) twin = it->second;
          }
        }
    return twin;
  };

  std::vector<int> representative(points.size());
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    const Cell home = cell_of(points[i], tolerance);
    const int twin = find_twin(points[i], home);
    representative[i] = twin < 0 ? i : twin;
    if (twin < 0) representatives.emplace(home, i);
  }
  return representative;
}

}  // namespace abut
