// RowMemory: initial guesses for the rows of a step, from the impulses of the last step in State's
// contact memory. Impulses of contact points are found by the names of the points (impulse_memory.h
// writes these); those of joints, limits and dry friction by keys greater than those of all pairs.
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/step/step_rows.h"
#include "abut/model/contact_memory.h"

namespace abut {

class RowMemory {
 public:
  // Numbers that a point has in State's contact memory: its impulse.
  static constexpr int kPointWidth = 3;

  // Reads the impulses of the last step for these rows; 0 for new rows.
  void read(const ContactMemory& memory, const ContactData& data, const StepRows& rows);
  // One impulse a row.
  std::span<const double> start() const { return start_; }

  // Notes the keys of the joints' rows, for write_joints().
  void note_joints(const StepRows& rows);
  // Appends the impulses p of the joints' rows behind the pairs of the memory.
  void write_joints(const StepRows& rows, std::span<const double> p, ContactMemory& memory) const;

 private:
  void read_joints(const ContactMemory& memory, const StepRows& rows);

  std::vector<PairKey> joint_keys_;  // of the groups of joints, which come first; ascending
  std::vector<double> start_;
};

}  // namespace abut
