// StepRows: the rows of a step, group by group, in this order:
//
//   joints that close loops   EqualityRows
//   limits                    JointRows: joints and tendons that are near theirs
//   dry friction              JointRows: of joints and tendons
//   inertia                   JointRows: armature and damping in maximal coordinates
//   contacts                  StepContacts: three rows a point, or one without friction
//   turning                   TurningRows: torsional and rolling friction of contacts
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "abut/constrain/rows/constraint_rows.h"
#include "abut/constrain/rows/equality.h"
#include "abut/constrain/rows/joint_rows.h"
#include "abut/constrain/rows/step_contacts.h"
#include "abut/constrain/rows/turning_rows.h"
#include "abut/constrain/step/step_moment.h"
#include "abut/constrain/step/step_settings.h"
#include "abut/constrain/step/step_terms.h"

namespace abut {

class StepRows {
 public:
  // `sizes`: L of each geom (m).
  StepRows(const Model& model, std::vector<double> sizes);

  // Rows at a moment; `data` is of that moment, `last` what the step before left. Wants
  // positions(), velocities() and factor() there.
  void build(double h, const StepSettings& settings, const StepMoment& moment,
             const ContactMemory& last, const ContactData& data, std::span<const double> u_free,
             const StepTerms& terms);

  void invert_by(InverseBy by) { rows_.invert_by(by); }

  void on_contact(ChangeContact change) { contacts_.change = std::move(change); }

  ConstraintRows& rows() { return rows_; }
  const ConstraintRows& rows() const { return rows_; }
  int count() const { return rows_.rows(); }
  const RowGroup& group(int index) const { return rows_.groups()[static_cast<std::size_t>(index)]; }
  const EqualityRows& loops() const { return loops_; }
  std::span<const double> loop_softness() const { return loop_softness_; }  // of loops()' rows
  const JointRows& joints() const { return joints_; }
  const std::vector<Contact>& contacts() const { return contacts_.contacts(); }
  std::span<const TurningContact> turning() const { return turning_.turning(); }
  // Index in contacts(); -1: a group of joints, or of turning.
  int contact_of(int group) const { return contact_of_group_[static_cast<std::size_t>(group)]; }

  double size_of(const Patch& patch) const;  // m

 private:
  const Model& model_;
  StepContacts contacts_;
  TurningRows turning_;
  EqualityRows loops_;
  std::vector<double> loop_softness_;
  JointRows joints_;
  ConstraintRows rows_;
  std::vector<double> sizes_;
  std::vector<int> contact_of_group_;
};

}  // namespace abut
