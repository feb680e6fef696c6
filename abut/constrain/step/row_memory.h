// RowMemory: warm starts of the rows of a step from State's contact memory, where the step before
// left its impulses: of contact points by their names (impulse_memory.h writes those), of joints,
// limits and dry friction by keys behind those of all pairs of geoms.
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

  // Reads what the step before left for these rows; 0 where there is nothing.
  void recall(const ContactMemory& memory, const ContactData& data, const StepRows& rows);
  // One impulse a row.
  std::span<const double> start() const { return start_; }

  // The joints' keys of the rows, for remember_joints().
  void note_joints(const StepRows& rows);
  // Appends the impulses p of the joints' rows behind the pairs of the memory.
  void remember_joints(const StepRows& rows, std::span<const double> p,
                       ContactMemory& memory) const;

 private:
  void recall_joints(const ContactMemory& memory, const StepRows& rows);

  std::vector<PairKey> joint_keys_;  // of the groups of joints, which come first; ascending
  std::vector<double> start_;
};

}  // namespace abut
