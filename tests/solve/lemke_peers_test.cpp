// Lemke's method beyond what enumeration can do: against Siconos's, on the same problems.
#include <gtest/gtest.h>
#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>

#include "abut/solve/generate/generate.h"
#include "abut/solve/pivoting/lemke.h"

namespace abut {
namespace {

// z by Siconos's lexicographic Lemke; whether it is one is for the residual to say.
VectorX siconos_lemke(const Problem& p) {
  const int n = p.size();
  Eigen::MatrixXd columns = p.A.rows();  // column major, as Siconos wants it
  VectorX q = p.b, z = VectorX::Zero(n), w = VectorX::Zero(n);
  LinearComplementarityProblem problem{};
  problem.size = n;
  problem.M = NM_create_from_data(NM_DENSE, n, n, columns.data());
  problem.q = q.data();
  SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 10'000;
  int info = 0;
  lcp_lexicolemke(&problem, z.data(), w.data(), &info, options);
  solver_options_delete(options);
  std::free(options);
  problem.M->matrix0 = nullptr;
  NM_clear(problem.M);
  std::free(problem.M);
  return z;
}

TEST(LemkeAndSiconos, AgreeOnWhatIsUnique) {
  // z of P-matrices, w of semidefinite ones (Cottle, Pang and Stone, theorem 3.4.4)
  int compared = 0;
  for (const char* family : {"p-matrix", "definite", "semidefinite"})
    for (int n = 20; n <= 100; n += 20)
      for (int seed = 1; seed <= 3; ++seed) {
        const Problem p = generate(family, n, seed);
        Answer ours;
        make_solver("lemke")->solve(p, ours);
        EXPECT_EQ(ours.status, SolveStatus::solved) << family << " " << n << " " << seed;
        const VectorX theirs = siconos_lemke(p);
        VectorX w, scratch;
        if (residuals(p, theirs, w, scratch).relative > 1e-10) continue;
        ++compared;
        const double scale = 1 + p.b.cwiseAbs().maxCoeff();
        EXPECT_LT((ours.w - w).cwiseAbs().maxCoeff(), 1e-8 * scale) << family << " " << n;
        if (std::string_view(family) != "semidefinite") {
          EXPECT_LT((ours.z - theirs).cwiseAbs().maxCoeff(),
                    1e-8 * (1 + theirs.cwiseAbs().maxCoeff()))
              << family << " " << n;
        }
      }
  EXPECT_GE(compared, 40);
}

TEST(LemkeAndSiconos, SolveFrictionOursAtLeastAsOftenAndAsWell) {
  for (int seed = 1; seed <= 15; ++seed) {
    const Problem p = generate("friction", 20 + 5 * seed, seed);
    Answer ours;
    make_solver("lemke")->solve(p, ours);
    EXPECT_EQ(ours.status, SolveStatus::solved) << seed;
    VectorX w, scratch;
    const double theirs = residuals(p, siconos_lemke(p), w, scratch).relative;
    EXPECT_LE(ours.residuals.relative, std::max(theirs, 1e-14)) << seed;
  }
}

}  // namespace
}  // namespace abut
