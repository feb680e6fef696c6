#include "abut/constrain/rows/loop_softness.h"

#include <algorithm>

#include "abut/constrain/rows/constraint_rows.h"
#include "abut/constrain/rows/equality.h"
#include "abut/constrain/tolerances.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

using Sides = EqualityRows::Sides;

// J M^-1 J' of a row with one side of the loop alone; of the rows of a joint that are lengths, the
// largest, and of those that are angles: a linkage in a plane has rows that neither side moves.
void add_side(Sides side, const Model& model, const Derived& d, EqualityRows& loops,
              std::vector<double>& s2) {
  ConstraintRows rows(model);
  rows.begin(d);
  loops.add(State(model), Input(model), d, rows, side);
  rows.finish();
  s2.resize(at(rows.rows()), 0.0);
  for (int g = 0; g < loops.groups(); ++g) {
    const RowGroup& group = rows.groups()[at(g)];
    double most[2] = {0, 0};
    for (int k = 0; k < group.size; ++k) {
      double& kind = most[at(loops.is_angle(group.row + k))];
      kind = std::max(kind, rows.diagonal(g, k));
    }
    for (int k = 0; k < group.size; ++k)
      s2[at(group.row + k)] += most[at(loops.is_angle(group.row + k))];
  }
}

}  // namespace

std::vector<double> loop_softness(const Model& model) {
  std::vector<double> c;
  if (model.equalities.empty()) return c;
  Derived d(model);
  positions(model, State(model), Input(model), d);
  mass_matrix(model, d);
  factor(model, d);
  EqualityRows loops(model);
  for (const Sides side : {Sides::first, Sides::second}) add_side(side, model, d, loops, c);
  // rows that nothing moves: any softness, since their impulses do nothing
  for (double& x : c) x = kLoopPlay * kLoopPlay * (x > 0 ? x : 1);
  return c;
}

}  // namespace abut
