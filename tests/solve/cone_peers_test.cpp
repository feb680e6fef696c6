// The cone solvers against Siconos's nonsmooth Gauss-Seidel, where the solution is unique:
// definite A and little friction.
#include <gtest/gtest.h>
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>

#include <cstdlib>

#include "abut/solve/generate/generate.h"
#include "abut/solve/solver.h"

namespace abut {
namespace {

VectorX siconos_nsgs(const Problem& p) {
  const int n = p.size();
  Eigen::MatrixXd columns = p.A.rows();
  VectorX q = p.b, z = VectorX::Zero(n), w = VectorX::Zero(n), mu(n / 3);
  for (int i = 0; i < n / 3; ++i) mu[i] = p.cones[i].mu;
  FrictionContactProblem problem{};
  problem.dimension = 3;
  problem.numberOfContacts = n / 3;
  problem.M = NM_create_from_data(NM_DENSE, n, n, columns.data());
  problem.q = q.data();
  problem.mu = mu.data();
  SolverOptions* options = solver_options_create(SICONOS_FRICTION_3D_NSGS);
  options->iparam[SICONOS_IPARAM_MAX_ITER] = 10000;
  options->dparam[SICONOS_DPARAM_TOL] = 1e-12;
  fc3d_driver(&problem, z.data(), w.data(), options);
  solver_options_delete(options);
  std::free(options);
  problem.M->matrix0 = nullptr;  // ours
  NM_clear(problem.M);
  std::free(problem.M);
  return z;
}

TEST(ConePeers, FindWhatSiconosFinds) {
  for (int seed = 1; seed <= 10; ++seed) {
    Problem p = generate("definite", 30, seed);
    p.A.rows().diagonal().array() += 1;
    for (int i = 0; i < 10; ++i) p.cones.push_back({3 * i, 3, 0.02 * (i + 1)});
    const VectorX expected = siconos_nsgs(p);
    VectorX w, scratch;
    ASSERT_LT(residuals(p, expected, w, scratch).relative, 1e-9) << "Siconos, seed " << seed;
    for (const char* name : {"pgs", "nncg", "nsgs", "cone"}) {
      auto solver = make_solver(name);
      Answer a;
      solver->solve(p, a);
      EXPECT_EQ(a.status, SolveStatus::solved) << name << " " << seed;
      EXPECT_LT((a.z - expected).cwiseAbs().maxCoeff(), 1e-6 * (1 + expected.norm()))
          << name << " " << seed;
    }
  }
}

}  // namespace
}  // namespace abut
