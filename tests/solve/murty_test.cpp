#include "abut/solve/pivoting/murty.h"

#include "solve/pivoting_checks.h"

namespace abut {
namespace {

using namespace test;

TEST(Murty, SolvesWhatItDeclares) {
  auto solver = make_murty();
  for (const char* family : {"p-matrix", "definite", "semidefinite", "degenerate", "scaled",
                             "cycling", "boxed", "mixed", "mixed-schur"})
    for (const auto& [n, seeds] : {std::pair{3, 50}, {8, 100}, {30, 20}})
      expect_solves(*solver, family, n, seeds);
}

TEST(Murty, AgreesWithEnumeration) {
  auto solver = make_murty();
  for (const char* family : {"p-matrix", "definite", "semidefinite", "degenerate", "mixed-schur"})
    expect_w_of_enumeration(*solver, family, 10, 15);
  expect_w_of_enumeration(*solver, "boxed", 7, 20);
}

TEST(Murty, AgreesWithSiconos) {
  auto solver = make_murty();
  expect_w_of_siconos(*solver, "p-matrix", 30, 5);
  expect_w_of_siconos(*solver, "definite", 50, 5);
  expect_w_of_siconos(*solver, "semidefinite", 50, 10);
}

TEST(Murty, SolvesRedundantContacts) { expect_solves_redundant_contacts(*make_murty()); }

TEST(Murty, ClaimsNothingWhereThereIsNoSolution) {
  auto solver = make_murty();
  for (int seed = 1; seed <= 20; ++seed) {
    Answer answer;
    solver->solve(generate("infeasible", 12, seed), answer);
    EXPECT_EQ(answer.status, SolveStatus::failed) << seed;
    EXPECT_FALSE(answer.reason.empty());
  }
}

TEST(Murty, DoesNotDependOnTheOrderOfRows) {
  auto solver = make_murty();
  expect_same_after_permutation(*solver, "semidefinite", 30);
  expect_same_after_permutation(*solver, "boxed", 20);
}

TEST(Murty, TakesNoMemoryAgain) {
  auto solver = make_murty();
  expect_quiet_and_repeatable(*solver, generate("boxed", 40, 1));
  expect_quiet_and_repeatable(*solver, generate("p-matrix", 40, 1));
  expect_quiet_and_repeatable(*solver, one_face(100, 1));
}

TEST(Murty, StartsWarm) {
  auto solver = make_murty();
  expect_warm_start_helps(*solver, generate("definite", 40, 1));
  expect_warm_start_helps(*solver, generate("boxed", 40, 2));
}

TEST(Murty, TakesNonsense) { expect_no_harm_from_nonsense(*make_murty()); }

}  // namespace
}  // namespace abut
