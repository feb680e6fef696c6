#include "abut/solve/newton/lmmcp.h"

#include "newton_checks.h"
#include "triangles.h"

namespace abut {
namespace {

using namespace test;

TEST(Lmmcp, SolvesTheClassesThatItDeclares) {
  expect_solves_declared_classes(*solver_named("lmmcp"));
}

TEST(Lmmcp, AgreesWithEnumeration) { expect_agrees_with_enumeration(*solver_named("lmmcp")); }

// Not declared (header), but these seeds all succeed.
TEST(Lmmcp, SolvesFriction) {
  const auto solver = solver_named("lmmcp");
  for (const std::string_view family : {"friction", "painleve", "mixed-friction", "boxed-friction"})
    for (const auto& [n, seeds] : {std::pair{6, 50}, {14, 50}, {40, 10}}) {
      std::string failed;
      EXPECT_EQ(count_solved(*solver, family, n, seeds, &failed), seeds)
          << family << " of " << n << ", seeds" << failed;
    }
}

TEST(Lmmcp, FailsWithAResidualWhereThereIsNoSolution) {
  expect_fails_with_a_residual(*solver_named("lmmcp"));
}

TEST(Lmmcp, TakesNoMemoryAgain) { expect_takes_no_memory_again(*solver_named("lmmcp")); }

TEST(Lmmcp, DoesNotMindOrderAndUnits) {
  expect_does_not_mind_order_and_units(*solver_named("lmmcp"));
}

TEST(Lmmcp, SurvivesAnything) { expect_survives_anything(*solver_named("lmmcp")); }

TEST(Lmmcp, StartsWarm) {
  const auto solver = solver_named("lmmcp");
  Problem p = generate("friction", 24, 2);
  Answer answer;
  solver->solve(p, answer);
  EXPECT_GT(answer.iterations, 3);
  solver->options.warm_start = true;
  solver->solve(p, answer);
  EXPECT_EQ(answer.iterations, 0);
  EXPECT_EQ(answer.starts, 1);
}

// ---- PEG and LNC: problems with several solutions, and minima that are none (P-N2) ----------

// Velocities that differ, of all solutions that `solutions` holds; e of eq. 13 is not unique.
std::vector<Nu> motions(const std::vector<VectorX>& solutions) {
  std::vector<Nu> out;
  for (const VectorX& z : solutions) {
    const Nu nu = z.head<6>();
    if (std::none_of(out.begin(), out.end(), [&](const Nu& o) { return (o - nu).norm() < 1e-6; }))
      out.push_back(nu);
  }
  return out;
}

bool holds(const std::vector<Nu>& all, const Nu& nu, double tolerance) {
  return std::any_of(all.begin(), all.end(),
                     [&](const Nu& o) { return (o - nu).cwiseAbs().maxCoeff() <= tolerance; });
}

Nu nu(double a, double b, double c, double d, double e, double f) {
  return (Nu() << a, b, c, d, e, f).finished();
}

TEST(LmmcpOnTriangles, StandAsTheSpecSays) {
  const auto g = gaps(ground_triangles()), t = gaps(tilted_triangles());
  const double expected[2][4] = {{0, .086603, .086603, 0}, {-.066605, .11107, .076868, .031876}};
  for (int k = 0; k < 4; ++k) {
    EXPECT_NEAR(g[k].psi, expected[0][k], 1e-6);
    EXPECT_NEAR(t[k].psi, expected[1][k], 1e-6);
  }
}

// The table of P-X5, and every motion that enumeration finds, no other.
TEST(LmmcpOnTriangles, FindsAllSolutionsOfPegAndLnc) {
  const Nu none = free_motion();
  const Nu g2 = nu(-.89343, .06153, 0, -.10657, -.06153, -.81219);
  const Nu g3 = nu(-.89343, -.06153, .81219, -.10657, .06153, 0);
  const Nu t2 = nu(-.87317, .04616, .31982, -.12683, -.04616, -.7891);
  const Nu t3 = nu(-.88675, -.04122, .84055, -.11325, .04122, -.28559);
  struct Case {
    Triangles triangles;
    Nu p2, p3;
    std::size_t lnc;
  };
  for (const Case& c : {Case{ground_triangles(), g2, g3, 4}, Case{tilted_triangles(), t2, t3, 3}}) {
    const Problem peg = triangles_problem(gaps(c.triangles), peg_constraints());
    const std::vector<Nu> of_peg = motions(lmmcp_solutions(peg, {.starts = 60}));
    EXPECT_EQ(of_peg.size(), 2u);
    EXPECT_TRUE(holds(of_peg, c.p2, 1e-4));
    EXPECT_TRUE(holds(of_peg, c.p3, 1e-4));

    const Problem lnc = triangles_problem(gaps(c.triangles), lnc_constraints());
    const std::vector<Nu> of_lnc = motions(lmmcp_solutions(lnc, {.starts = 60}));
    EXPECT_EQ(of_lnc.size(), c.lnc);
    EXPECT_TRUE(holds(of_lnc, none, 1e-9));
    EXPECT_TRUE(holds(of_lnc, c.p2, 1e-4));
    EXPECT_TRUE(holds(of_lnc, c.p3, 1e-4));

    for (const auto& [problem, found] : {std::pair{&peg, &of_peg}, {&lnc, &of_lnc}}) {
      const std::vector<Nu> all = motions(enumerate_solutions(*problem).solutions);
      EXPECT_EQ(all.size(), found->size());
      for (const Nu& one : all) EXPECT_TRUE(holds(*found, one, 1e-7)) << one.transpose();
    }
  }
}

// From zero all but one of the four end in a minimum; with 20 more starts every seed succeeds.
TEST(LmmcpOnTriangles, NeedsSeveralStarts) {
  struct Case {
    Triangles triangles;
    std::vector<Constraint> constraints;
    bool from_zero;
  };
  for (const Case& c : {Case{ground_triangles(), lnc_constraints(), true},
                        Case{ground_triangles(), peg_constraints(), false},
                        Case{tilted_triangles(), lnc_constraints(), false},
                        Case{tilted_triangles(), peg_constraints(), false}}) {
    const Problem p = triangles_problem(gaps(c.triangles), c.constraints);
    const auto solver = solver_named("lmmcp");
    Answer answer;
    solver->options.starts = 0;
    solver->solve(p, answer);
    EXPECT_EQ(answer.status == SolveStatus::solved, c.from_zero);
    EXPECT_EQ(answer.starts, 1);
    solver->options.starts = 20;
    int starts = 0;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      solver->options.seed = seed;
      solver->solve(p, answer);
      EXPECT_EQ(answer.status, SolveStatus::solved) << seed;
      starts += answer.starts;
    }
    EXPECT_LE(starts, 30 * (c.from_zero ? 1 : 4));
  }
}

// ---- nonlinear problems ---------------------------------------------------------------------

// Kojima and Shindo 1986: two solutions, one of them degenerate (z3 = w3 = 0).
Mcp kojima_shindo() {
  Mcp m;
  m.set_complementary(4);
  m.value = [](const VectorX& z, VectorX& w) {
    const double a = z[0], b = z[1], c = z[2], d = z[3];
    w[0] = 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6;
    w[1] = 2 * a * a + b * b + a + 10 * c + 2 * d - 2;
    w[2] = 3 * a * a + a * b + 2 * b * b + 2 * c + 9 * d - 9;
    w[3] = a * a + 3 * b * b + 2 * c + 3 * d - 3;
  };
  m.jacobian = [](const VectorX& z, DenseRows& J) {
    const double a = z[0], b = z[1];
    J << 6 * a + 2 * b, 2 * a + 4 * b, 1, 3,  //
        4 * a + 1, 2 * b, 10, 2,              //
        6 * a + b, a + 4 * b, 2, 9,           //
        2 * a, 6 * b, 2, 3;
  };
  return m;
}

TEST(LmmcpOnNonlinear, FindsBothSolutionsOfKojimaAndShindo) {
  Lmmcp lmmcp;
  const std::vector<VectorX> found = lmmcp.solutions(kojima_shindo(), VectorX::Zero(4));
  const Eigen::Vector4d degenerate(std::sqrt(6) / 2, 0, 0, 0.5), regular(1, 0, 3, 0);
  ASSERT_EQ(found.size(), 2u);
  for (const Eigen::Vector4d& z : {degenerate, regular})
    EXPECT_LT(std::min((found[0] - z).norm(), (found[1] - z).norm()), 1e-9);
}

// z^2 = 4 in a box: inside, at the top, at the bottom.
TEST(LmmcpOnNonlinear, TakesBoxes) {
  Mcp m;
  m.value = [](const VectorX& z, VectorX& w) { w[0] = z[0] * z[0] - 4; };
  m.jacobian = [](const VectorX& z, DenseRows& J) { J(0, 0) = 2 * z[0]; };
  struct Case {
    double lo, hi, expected;
  };
  for (const Case& c : {Case{0, kInfinity, 2},
                        {0, 3, 2},
                        {0, 1.5, 1.5},
                        {2.5, 3, 2.5},
                        {-1, 1, 1},
                        {-kInfinity, -3, -3}}) {
    m.lo = VectorX::Constant(1, c.lo);
    m.hi = VectorX::Constant(1, c.hi);
    Lmmcp lmmcp;
    VectorX z = VectorX::Constant(1, 0.3);
    const LmmcpResult result = lmmcp.solve(m, z);
    // w > 0 beyond -2 cannot sit at a top: no solution
    EXPECT_EQ(result.solved, c.hi != -3) << c.lo << " " << c.hi;
    if (result.solved) {
      EXPECT_NEAR(z[0], c.expected, 1e-9) << c.lo << " " << c.hi;
    }
  }
}

TEST(LmmcpOnNonlinear, GivesTheSameBitsFromTheSameSeed) {
  const Problem p = triangles_problem(gaps(tilted_triangles()), peg_constraints());
  const auto a = lmmcp_solutions(p, {.starts = 10, .seed = 4});
  const auto b = lmmcp_solutions(p, {.starts = 10, .seed = 4});
  const auto c = lmmcp_solutions(p, {.starts = 10, .seed = 5});
  EXPECT_EQ(a, b);
  EXPECT_NE(a, c);
}

}  // namespace
}  // namespace abut
