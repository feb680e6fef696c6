// C-X6, sections IV-B and V of Cline and Pai: redundant contacts make J M^-1 J' singular. The
// truncated pseudo-inverse, Lemke's method and a regularised problem find the same post-step; and
// it is the least by the metric of the masses (C-T11).
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "abut/collide/contact_drawing.h"
#include "abut/constrain/stabilize/pseudo_inverse.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/model/kinematics.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/cline_pai/c_flat_run.h"
#include "abut/reproduce/cline_pai/c_worlds.h"
#include "abut/reproduce/watch.h"
#include "abut/shape/primitives.h"
#include "abut/solve/solver.h"

namespace abut::reproduce {
namespace {

// The post-step's problem at the contacts of a state: gaps g, A = J M^-1 J'.
class Contacts {
 public:
  explicit Contacts(const Model& model) : model_(model), watch_(model), rows_(model) {
    const State state(model);
    const Input input(model);
    watch_.overlap(state, input);
    d_ = watch_.derived();
    velocities(model, state, d_);
    mass_matrix(model, d_);
    factor(model, d_);
    rows_.begin(d_);
    const ContactData& data = watch_.contacts();
    for (const Patch& patch : data.patches)
      for (int i = patch.begin; i < patch.end; ++i) {
        const std::size_t k = static_cast<std::size_t>(i);
        const int a = model.geoms[static_cast<std::size_t>(patch.geom_a)].body;
        const int b = model.geoms[static_cast<std::size_t>(patch.geom_b)].body;
        const Vec3 p = 0.5 * (data.points.p_A[k] + data.points.p_B[k]);
        const int g = rows_.add(1, a, b);
        rows_.add_point(g, 0, b, p, patch.normal, 1);
        rows_.add_point(g, 0, a, p, patch.normal, -1);
        gaps.push_back(data.points.psi[k]);
      }
    rows_.finish();
    A = Eigen::MatrixXd(size(), size());
    for (int j = 0; j < size(); ++j) {
      std::vector<double> one(gaps.size(), 0.0), Jv(gaps.size());
      one[static_cast<std::size_t>(j)] = 1;
      const std::vector<double> u = step(one);
      rows_.velocities(u, Jv);
      for (int i = 0; i < size(); ++i) A(i, j) = Jv[static_cast<std::size_t>(i)];
    }
  }

  int size() const { return static_cast<int>(gaps.size()); }
  // M^-1 J' l
  std::vector<double> step(std::span<const double> l) const {
    std::vector<double> u(static_cast<std::size_t>(model_.nv), 0.0);
    rows_.add_impulses(l, u);
    return u;
  }
  std::vector<double> step(const VectorX& l) const {
    return step(std::span(l.data(), static_cast<std::size_t>(l.size())));
  }
  Problem problem(double regularised = 0) const {
    Problem p = Problem::lcp(size());
    p.A.rows() = A;
    p.A.rows().diagonal() *= 1 + regularised;
    for (int i = 0; i < size(); ++i) p.b[i] = gaps[static_cast<std::size_t>(i)];
    return p;
  }
  int rank() const {
    return static_cast<int>(Eigen::FullPivLU<Eigen::MatrixXd>(A).setThreshold(1e-10).rank());
  }
  const Derived& derived() const { return d_; }

  std::vector<double> gaps;
  Eigen::MatrixXd A;

 private:
  const Model& model_;
  Watch watch_;
  ConstraintRows rows_;
  Derived d_;
};

double apart(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

VectorX solved(const Problem& p, const char* solver) {
  Answer answer;
  make_solver(solver)->solve(p, answer);
  return answer.status == SolveStatus::solved ? answer.z : VectorX::Constant(p.size(), NAN);
}

void add_redundant(Outcome& outcome) {
  const Model model = compile(box_in_box());
  const Contacts contacts(model);
  const std::vector<double> lemke = contacts.step(solved(contacts.problem(), "lemke"));
  const std::vector<double> regular = contacts.step(solved(contacts.problem(1e-9), "lemke"));
  const Problem p = contacts.problem();
  PseudoInverse inverse;
  VectorX l;
  inverse.solve(p.A.rows(), -p.b, l);
  const std::vector<double> pinv = contacts.step(l);
  const double pinv_off = apart(pinv, lemke), regular_off = apart(regular, lemke);
  outcome.checks.push_back(
      {.id = "C-T10",
       .statement =
           "with redundant contacts the pseudo-inverse and a regularised problem give Lemke's "
           "post-step: rows, rank, differences (m, rad)",
       .paper = {},
       .expected = "8, 3, <= 1e-12, <= 1e-9",
       .measured = std::vector<double>{double(contacts.size()), double(contacts.rank()), pinv_off,
                                       regular_off},
       .pass =
           contacts.size() == 8 && contacts.rank() == 3 && pinv_off <= 1e-12 && regular_off <= 1e-9,
       .settings = "a cube of 0.4 m in another by 20 mm, turned by 45 degrees, tilted by 3 and 2 "
                   "mrad; regularised: diagonal times 1 + 1e-9"});
  Drawing drawing;
  drawing.title = "Eight points, rank three";
  const Polyhedron cube = box_polyhedron(Vec3::Constant(0.2));
  drawing.solids.push_back({transformed(cube, {Vec3(0, 0, -0.2), Quat::Identity()}), Role::a, ""});
  drawing.solids.push_back({transformed(cube, contacts.derived().body_pose[1]), Role::b, ""});
  outcome.drawings.push_back(std::move(drawing));
}

// The rectangle of C-X6, sunk and tilted: one post-step by hand.
void add_mini_check(Outcome& outcome) {
  const Model model = compile(sunk_rectangle());
  const Contacts contacts(model);
  const VectorX l = solved(contacts.problem(), "lemke");

  State state(model);
  const Input input(model);
  Collider collider(model);
  Derived d(model);
  PostStep(model, collider.sizes()).apply(1, 1e-3, true, input, collider, state, d);
  const Vec2 at(state.q[0], 0.23 + state.q[1]);
  const double angle = 0.03 + state.q[2];
  const auto corner = [&](double x) {
    return at.y() + std::sin(angle) * x - std::cos(angle) * 0.25;
  };
  // by ascending gap
  std::vector<double> gaps = contacts.gaps, lambda(l.data(), l.data() + l.size()),
                      after{corner(-0.5), corner(0.5)};
  if (gaps.size() == 2 && gaps[0] > gaps[1]) {
    std::swap(gaps[0], gaps[1]);
    std::swap(lambda[0], lambda[1]);
  }
  const auto row = [&](const char* claim, const std::vector<double>& want,
                       const std::vector<double>& have, double within) {
    outcome.checks.push_back(
        {.id = "C-T10",
         .statement = claim,
         .paper = {},
         .expected = fmt::format("{} +- {:.0e}", to_text(want), within),
         .measured = have,
         .pass = have.size() == want.size() && apart(want, have) <= within,
         .settings = "rectangle 1 x 0.5 m, 1 kg, sunk by 20 mm into the floor, tilted by 30 mrad"});
  };
  row("a sunk, tilted rectangle: gaps (m)", {-0.034885, -0.004890}, gaps, 1e-6);
  row("its post-step: multipliers (kg m)", {0.013335, 0.006778}, lambda, 1e-6);
  row("its gaps after one post-step (m)", {1.17e-4, 1.08e-4}, after, 1e-6);
}

// C-T11: dp' M n = 0 for every n that leaves the constraints alone, so dp is the least by
// energy; not so in the plain metric, since the masses differ.
void add_minimality(Outcome& outcome) {
  World world = chain_of_rods(3, 9.81, true);
  const double masses[] = {1, 5, 0.2};
  for (std::size_t i = 0; i < 3; ++i) {
    world.worldbody.bodies[i].inertial->mass = masses[i];
    world.worldbody.bodies[i].inertial->diaginertia *= masses[i];
  }
  const Model model = compile(world);
  const int n = model.nv;
  State state(model);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> to_one(-1, 1);
  for (double& q : state.q) q += 1e-3 * to_one(random);
  const Input input(model);

  // J, column by column, and M, which is the same all the way: slides, and a hinge at the centre
  Derived d(model);
  positions(model, state, input, d);
  ConstraintRows rows(model);
  EqualityRows joints(model);
  rows.begin(d);
  joints.add(state, input, d, rows);
  Eigen::MatrixXd J(rows.rows(), n);
  for (int j = 0; j < n; ++j) {
    std::vector<double> u(static_cast<std::size_t>(n), 0.0),
        Ju(static_cast<std::size_t>(rows.rows()));
    u[static_cast<std::size_t>(j)] = 1;
    rows.velocities(u, Ju);
    for (int i = 0; i < rows.rows(); ++i) J(i, j) = Ju[static_cast<std::size_t>(i)];
  }
  VectorX M(n);
  for (int i = 0; i < 3; ++i)
    M.segment<3>(3 * i) << masses[i], masses[i], masses[i] * kRod * kRod / 12;

  Collider collider(model);
  const std::vector<double> before = state.q;
  PostStep(model, collider.sizes()).apply(1, 1e-4, false, input, collider, state, d);
  VectorX dp(n);
  for (int i = 0; i < n; ++i)
    dp[i] = state.q[static_cast<std::size_t>(i)] - before[static_cast<std::size_t>(i)];

  const Eigen::MatrixXd null = Eigen::FullPivLU<Eigen::MatrixXd>(J).kernel();
  double slope = 0, plain = 0, least_gain = 1;
  const double energy = 0.5 * dp.dot(M.cwiseProduct(dp));
  for (int k = 0; k < null.cols(); ++k) {
    const VectorX v = null.col(k).normalized();
    const VectorX Mv = M.cwiseProduct(v);
    slope = std::max(slope, std::abs(dp.dot(Mv)) / std::sqrt(2 * energy * v.dot(Mv)));
    plain = std::max(plain, std::abs(dp.dot(v)) / dp.norm());
  }
  for (int trial = 0; trial < 100; ++trial) {
    VectorX mix(null.cols());
    for (int k = 0; k < mix.size(); ++k) mix[k] = to_one(random);
    const VectorX other = dp + 0.1 * dp.norm() * (null * mix).normalized();
    least_gain = std::min(least_gain, 0.5 * other.dot(M.cwiseProduct(other)) / energy - 1);
  }
  outcome.checks.push_back(
      {.id = "C-T11",
       .statement =
           "the post-step is the least by energy: cosine with motions that leave the joints "
           "alone, least gain of energy of 100 others that repair them too",
       .paper = {},
       .expected = "<= 1e-9, > 0",
       .measured = std::vector<double>{slope, least_gain},
       .pass = slope <= 1e-9 && least_gain > 0,
       .settings = "three rods of 1, 5 and 0.2 kg, out of place by up to 1 mm and 1 mrad"});
  outcome.checks.push_back({.id = "C-T11",
                            .statement = "and not by length: the same cosine with all weights 1",
                            .paper = {},
                            .expected = "> 1e-3",
                            .measured = plain,
                            .pass = plain > 1e-3,
                            .settings = outcome.checks.back().settings});
}

}  // namespace

Outcome redundant_contacts(const Progress&) {
  Outcome outcome;
  add_redundant(outcome);
  add_mini_check(outcome);
  add_minimality(outcome);
  return outcome;
}

}  // namespace abut::reproduce
