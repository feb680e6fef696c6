#include "abut/contact/penalty/part_memory.h"

#include <algorithm>

#include "abut/math/index.h"

namespace abut {
namespace {

// Cosine: parts whose normals differ by more are other sides of the geom.
constexpr double kSameSide = 0.9;

// The known pair of the patch's geoms that pushes most nearly the same way; -1: there is none.
int nearest_known(const SolidNumbers& solids, const Patch& patch, const ContactMemory& memory) {
  int best = -1;
  double most = kSameSide;
  for (std::size_t i = 0; i < memory.pairs().size(); ++i) {
    const PairMemory& known = memory.pairs()[i];
    const auto [solid_a, solid_b] = solids_of(known.key);
    const int a = solids.geom_of(solid_a), b = solids.geom_of(solid_b);
    if (std::min(a, b) != patch.geom_a || std::max(a, b) != patch.geom_b) continue;
    const double along = patch.normal.dot(Vec3(known.normal[0], known.normal[1], known.normal[2]));
    if (along <= most) continue;
    most = along;
    best = static_cast<int>(i);
  }
  return best;
}

}  // namespace

void PartMemory::pass_on(const SolidNumbers& solids, const ContactData& data,
                         ContactMemory& memory) {
  more_.set_widths(memory.pair_width(), memory.point_width());
  more_.clear();
  const auto copy = [&](int from, PairKey key, std::span<const std::uint64_t> ids) {
    PairMemory header = memory.pairs()[at(from)];
    header.key = key;
    if (key != memory.pairs()[at(from)].key) header.warm_start = {};
    const int to = more_.append(header, ids);
    std::ranges::copy(memory.pair_values(from), more_.pair_values(to).begin());
    return to;
  };
  const auto keep = [&](int known) {
    const PairMemory& pair = memory.pairs()[at(known)];
    const int to =
        copy(known, pair.key, memory.point_ids().subspan(pair.point_begin, pair.point_count));
    for (std::uint32_t k = 0; k < pair.point_count; ++k)
      std::ranges::copy(
          memory.point_values(static_cast<int>(pair.point_begin + k)),
          more_.point_values(static_cast<int>(more_.pairs()[at(to)].point_begin + k)).begin());
  };
  int next = 0;
  const int count = static_cast<int>(memory.pairs().size());
  for (const Patch& patch : data.patches) {
    const bool is_part = patch.part_a >= 0 || patch.part_b >= 0;
    if (!is_part || memory.find(patch.key()) >= 0) continue;
    const int from = nearest_known(solids, patch, memory);
    if (from < 0) continue;
    while (next < count && memory.pairs()[at(next)].key < patch.key()) keep(next++);
    copy(from, patch.key(), {});
  }
  if (more_.pairs().empty() && next == 0) return;
  while (next < count) keep(next++);
  memory = more_;  // not swapped: each keeps what it has grown to
}

}  // namespace abut
