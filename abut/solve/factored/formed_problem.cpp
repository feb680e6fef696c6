#include "abut/solve/factored/formed_problem.h"

namespace abut {

const Problem& FormedProblem::form(const Problem& factored) {
  delassus_.form(factored.A.factored(), formed_.A.blocks());
  formed_.b = factored.b;
  formed_.lo = factored.lo;
  formed_.hi = factored.hi;
  formed_.bound_by = factored.bound_by;
  formed_.mu = factored.mu;
  formed_.cones = factored.cones;
  return formed_;
}

}  // namespace abut
