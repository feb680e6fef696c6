// RightHandSide: b of w = A p + b, and the bounds of impulses, for every row of a step.
//
//   b = J u_free + what each kind of row adds:
//
//   joints     driven + rate g                  g the error, rate of the stabiliser
//   limits     gap / h, or what GapRule says
//   friction   0, with |p| <= h frictionloss
//   inertia    - J u, and softness 1 / inertia on the diagonal of A
//   contacts   driven + psi / h, or what GapRule and StepTerms say
//   turning    driven; bounds and b of rolling are TurningBounds'
#pragma once

#include <span>
#include <vector>

#include "abut/constrain/rows/equality_acceleration.h"
#include "abut/constrain/step/step_rows.h"

namespace abut {

class RightHandSide {
 public:
  explicit RightHandSide(const Model& model);

  // Of rows that `start`, or the end of a step (`around`), was built at; `data` is of that moment.
  struct Step {
    double h;
    const StepMoment& start;
    const Around* around;  // null: rows are those of the start
    const ContactData& data;
    std::span<const double> u_free;
    const StepTerms& terms;
  };
  void find(const Step& step, const StepSettings& settings, const StepRows& rows);

  // One entry a row.
  std::span<const double> b() const { return b_; }
  std::span<const double> lo() const { return lo_; }
  std::span<const double> hi() const { return hi_; }
  std::span<const double> softness() const { return softness_; }  // 1/kg
  std::span<const double> before() const { return before_; }      // J u at the start of the step

 private:
  void add_joints(const Step& step, const StepSettings& settings, const StepRows& rows);
  void add_accelerations(const Step& step, const Stabilizer& stabilizer, const StepRows& rows);
  void add_contacts(const Step& step, const StepSettings& settings, const StepRows& rows);
  void add_contact(const Step& step, const StepSettings& settings, double size, int row,
                   const Contact& contact);
  void add_turning(const StepRows& rows);
  void accelerate(const Step& step, const Stabilizer& stabilizer, int row, const Contact& contact);
  void add_gap_rate(const Step& step, int row, double psi);
  void set_bounds(double h, const StepRows& rows);

  const Model& model_;
  EqualityAcceleration accelerations_;
  std::vector<double> b_, lo_, hi_, softness_, before_;
  std::vector<double> u_;      // at the start, in solver coordinates
  std::vector<double> k_;      // velocity terms of loops
  std::vector<double> ahead_;  // J change of Around, one a row
  std::vector<double> lift_;   // J of StepTerms::lift, one a row
};

}  // namespace abut
