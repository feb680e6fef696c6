// FormedProblem: a factored problem with its matrix formed in blocks, for methods that need A.
//
//   abut::FormedProblem formed;
//   const abut::Problem& in_blocks = formed.form(problem);   // problem.A has the form `factored`
#pragma once

#include "abut/solve/factored/delassus.h"
#include "abut/solve/problem.h"

namespace abut {

class FormedProblem {
 public:
  FormedProblem() { formed_.A.set_blocks(); }

  // Valid until the next call. The same sizes again allocate nothing.
  const Problem& form(const Problem& factored);

 private:
  Problem formed_;
  Delassus delassus_;
};

}  // namespace abut
