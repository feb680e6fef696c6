// ImpulseMemory: what a step of impulses leaves in State's contact memory: of each pair that was
// near its warm start for the next distance query and its normal, of each contact its impulse
// (N s), and the impulses of joints. The next step starts its solver from them.
//
//   memory.write(used, near, queries, stepping);   // after solve()
//   memory.put_into(state);                        // after the move
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/constrain/step/time_stepping.h"
#include "abut/math/index.h"

namespace abut {

class ImpulseMemory {
 public:
  // `pair_width`: doubles that the model remembers of a pair, by write_values().
  explicit ImpulseMemory(int pair_width = 0) : pair_width_(pair_width) {
    next_.set_widths(pair_width, TimeStepping::kPointMemory);
  }
  int pair_width() const { return pair_width_; }

  // An impulse (N s, world axes, on B) at a point of `used`.
  struct AtPoint {
    int patch = 0, point = 0;
    Vec3 impulse = Vec3::Zero();
    Vec3 couple = Vec3::Zero();  // N m s; not remembered
  };

  // `used`: the contacts that were solved for; `near`: all that queries found; `impulses`. All
  // ascend by pair. `branch`: what is remembered of a patch of `used` that presses
  // (PairMemory::branch).
  template <class Branch>
  void write(const ContactData& used, const ContactData& near,
             const std::vector<PairQuery>& queries, std::span<const AtPoint> impulses,
             const TimeStepping& stepping, const Branch& branch) {
    begin();
    for (const PairQuery& query : queries) {
      const int patch = write_pair(query, used, near, impulses);
      if (patch >= 0) next_.pairs().back().branch = branch(at(patch));
    }
    stepping.write_joints(next_);
  }
  // With the impulses of stepping.
  template <class Branch>
  void write(const ContactData& used, const ContactData& near,
             const std::vector<PairQuery>& queries, const TimeStepping& stepping,
             const Branch& branch) {
    take(stepping);
    write(used, near, queries, taken_, stepping, branch);
  }
  void write(const ContactData& used, const ContactData& near,
             const std::vector<PairQuery>& queries, const TimeStepping& stepping) {
    write(used, near, queries, stepping, [](std::size_t) { return 0; });
  }
  // After write(): the first value of each pair.
  template <class Value>
  void write_values(const Value& value) {
    for (int p = 0; p < static_cast<int>(next_.pairs().size()); ++p)
      next_.pair_values(p)[0] = value(next_.pairs()[at(p)].key);
  }
  // Does nothing where nothing was written since.
  void put_into(State& state);
  // The step begins: what was written belongs to the one before.
  void forget() { written_ = false; }

 private:
  void begin();
  // The first patch of the pair in `used` if it presses, else -1.
  int write_pair(const PairQuery& query, const ContactData& used, const ContactData& near,
                 std::span<const AtPoint> impulses);
  void take(const TimeStepping& stepping);

  int pair_width_;
  ContactMemory next_;
  std::vector<std::uint64_t> ids_;
  std::vector<AtPoint> taken_;
  std::size_t patch_ = 0, contact_ = 0;  // of `used` and of the impulses, which ascend by pair
  bool written_ = false;
};

}  // namespace abut
