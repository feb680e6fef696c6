// Which solver a step's problems go to. `auto` chooses by the problem, by measurement
// (docs/solvers.md); a name or a chain given by the user is taken for all, but for islands of a
// kind that it does not know (a joint's friction beside no contact): these go to auto's. Joints come
// first (solve/wrap/joints_first.h within trees, free_first.h between them), but for pyramids, for 32
// bodies and more, and for solvers that the user names.
//
//   without cones    pivot,dantzig,lemke   a few exchanges; lemke where they give up
//   round cones      cone,nsgs             nsgs,cone is as fast on 20 boxes of the same mass, and
//                                          ten times slower at 100:1
//   32 bodies on     bodies                asked for kManyAccuracy
//   pyramids         lemke,lmmcp           no warm start, and yet the fastest: 1 ms a step for 5
//                                          boxes and 8 directions (lmmcp 60 ms, cone fails);
//                                          27 ms for 20 boxes, where round cones take 0.5 ms
#pragma once

#include <memory>
#include <string_view>

#include "abut/solve/solver.h"

namespace abut {

class ContactSolvers {
 public:
  // `auto`, a name, or a chain. Throws std::invalid_argument for a solver that there is not.
  // `accuracy`, `iterations`: see StepSettings; 0: the solvers' own.
  explicit ContactSolvers(std::string_view chain, double accuracy = 0, int iterations = 0,
                          const TimeLimit* limit = nullptr);

  Solver& round(const Problem& problem);    // cones, or no friction at all
  Solver& pyramid(const Problem& problem);  // what Pyramid makes of them

  // Iterations that `auto` gives to problems with round cones; 0: the solvers' own limits.
  void limit_cones(int most) {
    for (Solver* s : {cone_.get(), some_.get(), many_.get()})
      s->options.most_iterations = most > 0 ? most : iterations_;
  }

  // All of them, to be watched.
  template <class F>
  void for_each(F&& f) {
    for (Solver* s :
         {chosen_.get(), plain_.get(), cone_.get(), some_.get(), many_.get(), pyramid_.get()})
      if (s != nullptr) f(*s);
  }

 private:
  int iterations_;
  std::unique_ptr<Solver> chosen_;  // null: auto
  std::unique_ptr<Solver> plain_, cone_, some_, many_, pyramid_;
};

}  // namespace abut
