// fb and lmmcp beyond what enumeration can do: against Siconos's Newton on Fischer's function
// and its Lemke.
#include <gtest/gtest.h>

#include "abut/solve/generate/generate.h"
#include "abut/solve/solver.h"
#include "siconos_lcp.h"

namespace abut {
namespace {

using test::siconos_lcp;

// z of P-matrices, w of symmetric semidefinite ones.
TEST(NewtonAndSiconos, AgreeOnWhatIsUnique) {
  int compared = 0;
  for (const char* family : {"p-matrix", "definite", "semidefinite", "degenerate"})
    for (const int n : {20, 40, 70})
      for (int seed = 1; seed <= 2; ++seed) {
        const Problem p = generate(family, n, seed);
        const VectorX theirs = siconos_lcp(p, SICONOS_LCP_LEMKE);
        VectorX w, scratch;
        if (residuals(p, theirs, w, scratch).relative > 1e-10) continue;
        for (const char* name : {"fb", "lmmcp"}) {
          Answer ours;
          make_solver(name)->solve(p, ours);
          EXPECT_EQ(ours.status, SolveStatus::solved) << name << " " << family << " " << n;
          EXPECT_LT((ours.w - w).cwiseAbs().maxCoeff(), 1e-8 * (1 + p.b.cwiseAbs().maxCoeff()))
              << name << " " << family << " " << n;
          if (std::string_view(family) == "p-matrix" || std::string_view(family) == "definite") {
            EXPECT_LT((ours.z - theirs).cwiseAbs().maxCoeff(),
                      1e-8 * (1 + theirs.cwiseAbs().maxCoeff()))
                << name << " " << family << " " << n;
          }
          ++compared;
        }
      }
  EXPECT_GE(compared, 40);
}

// The same method: what theirs solves, ours does; and more.
TEST(NewtonAndSiconos, OursSolvesWhatTheirNewtonDoes) {
  int ours_count = 0, theirs_count = 0;
  for (const char* family : {"p-matrix", "semidefinite", "degenerate", "scaled", "friction"})
    for (int seed = 1; seed <= 20; ++seed) {
      const Problem p = generate(family, 24, seed);
      VectorX w, scratch;
      const bool theirs =
          residuals(p, siconos_lcp(p, SICONOS_LCP_NEWTON_FB_FBLSA, 200), w, scratch).relative <=
          1e-10;
      Answer answer;
      make_solver("fb")->solve(p, answer);
      const bool ours = answer.status == SolveStatus::solved;
      EXPECT_GE(ours, theirs) << family << " " << seed;
      ours_count += ours;
      theirs_count += theirs;
    }
  RecordProperty("ours", ours_count);
  RecordProperty("siconos", theirs_count);
  EXPECT_EQ(ours_count, 100);
  EXPECT_GE(theirs_count, 30);  // else nothing was compared
}

}  // namespace
}  // namespace abut
