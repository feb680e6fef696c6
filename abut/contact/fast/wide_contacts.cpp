#include "abut/contact/fast/wide_contacts.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "abut/constrain/rows/step_contacts.h"
#include "abut/constrain/step/row_memory.h"
#include "abut/contact/fast/tolerances.h"
#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

// Colours of a mask. Pairs of a body that has more are solved one after the other.
constexpr int kColours = 64;
// More points of a patch than this count as this many when blocks are formed.
constexpr int kMostCounted = 15;

}  // namespace

WideContacts::WideContacts(const Model& model, const WideIslands& islands,
                           std::vector<double> sizes, bool frictionless)
    : model_(model),
      islands_(islands),
      sizes_(std::move(sizes)),
      frictionless_(frictionless),
      materials_(model),
      mover_of_tree_(model.trees.size(), -1) {}

// The solid that never moves comes behind all movers.
int WideContacts::mover_of(int geom) const {
  const int tree = islands_.tree_of(geom);
  return tree < 0 ? movers() : mover_of_tree_[at(tree)];
}

void WideContacts::build(double h, const StepMoment& moment, const ContactData& data,
                         double slack) {
  slack_ = slack;
  const std::span<const std::uint8_t> wide = islands_.wide();
  find_movers(moment, data, wide);
  colour(data, wide);
  sort_by(kMostCounted + 1, [&](std::int32_t p) {
    return kMostCounted - std::min(data.patches[at(p)].count(), kMostCounted);
  });
  sort_by(islands_.count(), [&](std::int32_t p) { return islands_.island()[at(p)]; });
  sort_by(kColours + 1, [&](std::int32_t p) { return colour_of_[at(p)]; });
  place(data);
  const std::span<const PairMemory> known = moment.state.contacts.pairs();
  const bool fits = moment.state.contacts.point_width() == RowMemory::kPointWidth;
  std::size_t next = 0;
  for (std::size_t p = 0; p < data.patches.size(); ++p) {
    if (!wide[p]) continue;
    const PairKey key = data.patches[p].key();
    while (next < known.size() && known[next].key < key) ++next;
    const bool is_known = fits && next < known.size() && known[next].key == key;
    fill(h, moment, data, p, is_known ? static_cast<int>(next) : -1);
  }
}

void WideContacts::find_movers(const StepMoment& moment, const ContactData& data,
                               std::span<const std::uint8_t> wide) {
  std::fill(mover_of_tree_.begin(), mover_of_tree_.end(), -1);
  for (std::size_t p = 0; p < data.patches.size(); ++p)
    if (wide[p])
      for (const int geom : {data.patches[p].geom_a, data.patches[p].geom_b})
        if (const int tree = islands_.tree_of(geom); tree >= 0) mover_of_tree_[at(tree)] = 0;
  trees_.clear();
  centres_.clear();
  masses_.clear();
  for (std::size_t t = 0; t < mover_of_tree_.size(); ++t) {
    if (mover_of_tree_[t] < 0) continue;
    mover_of_tree_[t] = movers();
    trees_.push_back(static_cast<int>(t));
    const Link& link = model_.links[at(model_.trees[t].link_begin)];
    const Mat3& R = moment.d.body_rotation[at(link.body)];
    const Mat3 I = R * link.inverse_inertia * R.transpose();
    centres_.push_back(moment.d.body_pose[at(link.body)].p + R * link.mass.com);
    masses_.push_back(
        {1 / link.mass.mass, I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2), 0});
  }
  centres_.push_back(Vec3::Zero());
  masses_.push_back({});
}

void WideContacts::colour(const ContactData& data, std::span<const std::uint8_t> wide) {
  colours_of_mover_.assign(at(movers()) + 1, 0);
  colour_of_.assign(data.patches.size(), -1);
  order_.clear();
  for (std::size_t p = 0; p < data.patches.size(); ++p) {
    if (!wide[p]) continue;
    const int a = mover_of(data.patches[p].geom_a), b = mover_of(data.patches[p].geom_b);
    const std::uint64_t taken = colours_of_mover_[at(a)] | colours_of_mover_[at(b)];
    const int colour = std::countr_one(taken);
    for (const int m : {a, b})
      if (m < movers() && colour < kColours) colours_of_mover_[at(m)] |= std::uint64_t{1} << colour;
    colour_of_[p] = colour;
    order_.push_back(static_cast<std::int32_t>(p));
  }
}

// Puts order_ in the order of the keys, and leaves equal ones as they are.
template <class Key>
void WideContacts::sort_by(int keys, const Key& key) {
  begins_.assign(at(keys) + 1, 0);
  for (const std::int32_t p : order_) ++begins_[at(key(p)) + 1];
  for (std::size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  sorted_.resize(order_.size());
  for (const std::int32_t p : order_) sorted_[at(begins_[at(key(p))]++)] = p;
  std::swap(order_, sorted_);
}

// Four patches of a colour a block; those without a colour of their own a block each.
void WideContacts::place(const ContactData& data) {
  slots_.assign(data.patches.size(), {});
  colours_.clear();
  pairs_.clear();
  int points = 0;
  for (std::size_t i = 0; i < order_.size();) {
    const int colour = colour_of_[at(order_[i])];
    const bool apart = colour < kColours;
    colours_.push_back({static_cast<int>(pairs_.size()), 0, apart});
    while (i < order_.size() && colour_of_[at(order_[i])] == colour) {
      LanePair block{};
      int most = 0;
      for (int lane = 0; lane < kLanes; ++lane) {
        block.body_a[lane] = block.body_b[lane] = movers();
        block.island[lane] = -1;
        if ((lane > 0 && !apart) || i == order_.size()) continue;
        const auto p = at(order_[i]);
        if (colour_of_[p] != colour) continue;
        slots_[p] = {static_cast<std::int32_t>(pairs_.size()), lane};
        block.body_a[lane] = mover_of(data.patches[p].geom_a);
        block.body_b[lane] = mover_of(data.patches[p].geom_b);
        block.island[lane] = islands_.island()[p];
        most = std::max(most, data.patches[p].count());
        ++i;
      }
      block.begin = points;
      block.end = points += most;
      pairs_.push_back(block);
    }
    colours_.back().end = static_cast<int>(pairs_.size());
  }
  // a lane without a contact lets every overlap be
  LanePoint none{};
  for (int k = 0; k < kLanes; ++k) none.slack[k] = std::numeric_limits<double>::max();
  points_.assign(at(points), none);
  contacts_ = 0;
}

void WideContacts::fill(double h, const StepMoment& moment, const ContactData& data,
                        std::size_t patch_index, int remembered) {
  const Patch& patch = data.patches[patch_index];
  const Slot slot = slots_[patch_index];
  LanePair& block = pairs_[at(slot.block)];
  const int lane = slot.lane, body_a = model_.geoms[at(patch.geom_a)].body,
            body_b = model_.geoms[at(patch.geom_b)].body;
  const Mat3 frame = contact_frame(patch.normal);
  for (int k = 0; k < 3; ++k)
    for (int x = 0; x < 3; ++x) block.axis[k][x][lane] = frame(x, k);
  const Material material = materials_.of(patch.geom_a, patch.geom_b);
  block.friction[lane] = frictionless_ || material.condim == 1 ? 0 : material.friction;
  const double size = sizes_[at(patch.geom_a)] + sizes_[at(patch.geom_b)];
  const Vec3 &centre_a = centres_[at(block.body_a[lane])],
             &centre_b = centres_[at(block.body_b[lane])];
  for (int i = patch.begin; i < patch.end; ++i) {
    LanePoint& point = points_[at(block.begin + i - patch.begin)];
    const Vec3 p = 0.5 * (data.points.p_A[at(i)] + data.points.p_B[at(i)]);
    const Vec3 driven =
        frame.transpose() * (driven_twist(model_, moment.input, moment.d, body_b, p).lin -
                             driven_twist(model_, moment.input, moment.d, body_a, p).lin);
    const double psi = data.points.psi[at(i)];
    for (int x = 0; x < 3; ++x) {
      point.arm_a[x][lane] = p[x] - centre_a[x];
      point.arm_b[x][lane] = p[x] - centre_b[x];
      point.b[x][lane] = driven[x];
    }
    point.b[0][lane] += std::max(psi - slack_ * size, 0.0) / h;
    point.D[0][lane] = 1;  // the lane has a contact
    point.gap[lane] = std::max(psi, -kMostLift * size) + h * driven[0];
    point.slack[lane] = slack_ * size;
    recall(moment.state.contacts, remembered, data.points.id[at(i)], frame, point, lane);
    ++contacts_;
  }
}

void WideContacts::recall(const ContactMemory& memory, int pair, std::uint64_t id,
                          const Mat3& frame, LanePoint& point, int lane) const {
  if (pair < 0) return;
  const int known = memory.find_point(pair, id);
  if (known < 0) return;
  const std::span<const double> v = memory.point_values(known);
  for (int k = 0; k < 3; ++k)
    point.p[k][lane] = frame(0, k) * v[0] + frame(1, k) * v[1] + frame(2, k) * v[2];
}

bool WideContacts::closes_gaps() const {
  for (const LanePoint& p : points_)
    for (int k = 0; k < kLanes; ++k)
      if (p.p[0][k] > 0 && p.b[0][k] > 0) return true;
  return false;
}

Vec3 WideContacts::impulse(const Patch& patch, int patch_index, int point) const {
  const Slot slot = slots_[at(patch_index)];
  const LanePair& block = pairs_[at(slot.block)];
  const LanePoint& of = points_[at(block.begin + point - patch.begin)];
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 3; ++k)
    for (int x = 0; x < 3; ++x) sum[x] += block.axis[k][x][slot.lane] * of.p[k][slot.lane];
  return sum;
}

}  // namespace abut
