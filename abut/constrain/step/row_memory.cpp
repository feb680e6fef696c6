#include "abut/constrain/step/row_memory.h"

#include "abut/math/index.h"

namespace abut {

namespace {

// Of the memory, for the impulses of a group.
int points_for(const RowGroup& g) {
  return (g.size + RowMemory::kPointWidth - 1) / RowMemory::kPointWidth;
}

}  // namespace

// Last step's impulses of the points that are still there.
void RowMemory::read(const ContactMemory& memory, const ContactData& data, const StepRows& rows) {
  start_.assign(at(rows.count()), 0.0);
  if (memory.point_width() != kPointWidth) return;
  int patch = -1, pair = -1;
  for (const Contact& c : rows.contacts()) {
    if (c.patch != patch) {
      patch = c.patch;
      const Patch& of = data.patches[at(patch)];
      pair = memory.find(of.key());
    }
    if (pair < 0) continue;
    const int point = memory.find_point(pair, data.points.id[at(c.point)]);
    if (point < 0) continue;
    const std::span<const double> v = memory.point_values(point);
    const Vec3 impulse = c.frame.transpose() * Vec3(v[0], v[1], v[2]);
    const RowGroup& g = rows.group(c.group);
    for (int k = 0; k < g.size; ++k) start_[at(g.row + k)] = impulse[k];
  }
  read_joints(memory, rows);
}

// Beyond every pair of geoms, whose ids are never negative.
void RowMemory::note_joints(const StepRows& rows) {
  constexpr PairKey kJoint = PairKey{1} << 63, kOther = PairKey{1} << 62;
  joint_keys_.clear();
  for (const int id : rows.loops().ids()) joint_keys_.push_back(kJoint | static_cast<PairKey>(id));
  for (const int id : rows.joints().ids())
    joint_keys_.push_back(kJoint | kOther | static_cast<PairKey>(id));
}

void RowMemory::read_joints(const ContactMemory& memory, const StepRows& rows) {
  for (std::size_t i = 0; i < joint_keys_.size(); ++i) {
    const int pair = memory.find(joint_keys_[i]);
    if (pair < 0) continue;
    const RowGroup& g = rows.group(static_cast<int>(i));
    const PairMemory& header = memory.pairs()[at(pair)];
    if (static_cast<int>(header.point_count) != points_for(g)) continue;
    for (int k = 0; k < g.size; ++k)
      start_[at(g.row + k)] = memory.point_values(static_cast<int>(header.point_begin) +
                                                  k / kPointWidth)[at(k % kPointWidth)];
  }
}

void RowMemory::write_joints(const StepRows& rows, std::span<const double> p,
                             ContactMemory& memory) const {
  static constexpr std::uint64_t kIds[2] = {0, 1};  // six rows at most
  if (rows.count() == 0) return;
  for (std::size_t i = 0; i < joint_keys_.size(); ++i) {
    const RowGroup& g = rows.group(static_cast<int>(i));
    PairMemory header;
    header.key = joint_keys_[i];
    const int pair = memory.append(header, {kIds, at(points_for(g))});
    const int begin = static_cast<int>(memory.pairs()[at(pair)].point_begin);
    for (int k = 0; k < g.size; ++k)
      memory.point_values(begin + k / kPointWidth)[at(k % kPointWidth)] = p[at(g.row + k)];
  }
}

}  // namespace abut
