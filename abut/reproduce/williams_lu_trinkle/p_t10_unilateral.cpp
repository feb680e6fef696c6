// P-T10: with unilateral constraints alone the problem is that of Stewart and Trinkle (Williams, Lu
// and Trinkle, "reduces to ST").
//
// What that problem is is computed here by hand, from the corners of a box over the ground: A = J
// M^-1 J' and b = J u + psi / h, u being the velocities at the end of the step that nothing
// constrains. peg and st must each pose it, and move alike.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/random_hull.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {

namespace {

constexpr int kBoxes = 30;
constexpr unsigned kFreshSeed = 20261118;
constexpr double kStep = 1.0 / 240, kGravity = 9.81;  // s, m/s^2

struct Falling {
  Vec3 half, velocity;     // m, m/s
  double mass, gap, turn;  // kg, m, rad about z
};

Falling random_box(Dice& dice) {
  Falling f;
  for (int k = 0; k < 3; ++k) f.half[k] = dice.uniform(0.05, 0.5);
  f.mass = dice.uniform(0.1, 20);
  f.turn = dice.uniform(0, 1.5);
  // all four corners meet the ground within the step
  f.velocity = {dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-0.5, -0.1)};
  f.gap = dice.uniform(0, 0.5) * -f.velocity.z() * kStep;
  return f;
}

World world_of(const Falling& f) {
  World world;
  world.option.timestep = kStep;
  world.option.gravity = {0, 0, -kGravity};
  world.worldbody.plane().friction[0] = 0.5;
  BodyDesc& body =
      world.body("box", {0, 0, f.half.z() + f.gap}, Quat(Eigen::AngleAxisd(f.turn, Vec3::UnitZ())));
  body.free();
  GeomDesc& box = body.box(f.half);
  box.mass = f.mass;
  box.friction[0] = 0.5;
  return world;
}

// Rows of all corners in any order, three each: along the normal, then along two tangents.
struct ByHand {
  Eigen::MatrixXd A{12, 12};
  VectorX b{12};

  explicit ByHand(const Falling& f) {
    const Vec3 square = 4 * f.half.cwiseProduct(f.half);
    const Vec3 I = f.mass / 12 *
                   Vec3(square.y() + square.z(), square.x() + square.z(), square.x() + square.y());
    const Mat3 R = Quat(Eigen::AngleAxisd(f.turn, Vec3::UnitZ())).toRotationMatrix();
    Eigen::MatrixXd J(12, 6);
    int row = 0;
    for (const double x : {-1.0, 1.0})
      for (const double y : {-1.0, 1.0}) {
        // impulses act halfway between the corner and the ground
        const Vec3 arm =
            R * Vec3(x * f.half.x(), y * f.half.y(), -f.half.z()) - 0.5 * f.gap * Vec3::UnitZ();
        for (const Vec3& along : {Vec3(0, 0, 1), Vec3(1, 0, 0), Vec3(0, 1, 0)}) {
          J.row(row).head<3>() = along;
          J.row(row++).tail<3>() = arm.cross(along);
        }
      }
    Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6, 6);
    W.topLeftCorner<3, 3>() = Mat3::Identity() / f.mass;
    W.bottomRightCorner<3, 3>() = R * I.cwiseInverse().asDiagonal() * R.transpose();
    A = J * W * J.transpose();
    Eigen::Matrix<double, 6, 1> u = Eigen::Matrix<double, 6, 1>::Zero();
    u.head<3>() = f.velocity - Vec3(0, 0, kGravity * kStep);
    b = J * u;
    for (int i = 0; i < 12; i += 3) b[i] += f.gap / kStep;
  }
};

// How far a problem of `size` rows a corner is from the one by hand: the corners may come in any
// order and the tangents may be any two, so that sizes of blocks are compared, of the best order.
double off_by(const Problem& p, const ByHand& hand) {
  const int size = p.size() / 4;
  if (p.size() != 4 && p.size() != 12) return kInfinity;
  DenseRows A;
  p.A.to_dense(A);
  std::array order{0, 1, 2, 3};
  double least = kInfinity;
  do {
    double most = 0;
    for (int i = 0; i < 4; ++i) {
      const int at_i = 3 * order[std::size_t(i)];
      most = std::max(most, std::abs(p.b[size * i] - hand.b[at_i]) / std::abs(hand.b[0]));
      if (size == 3)
        most = std::max(most, std::abs(p.b.segment(size * i + 1, 2).norm() -
                                       hand.b.segment(at_i + 1, 2).norm()));
      for (int j = 0; j < 4; ++j) {
        const double have = A.block(size * i, size * j, size, size).norm();
        const double want = hand.A.block(at_i, 3 * order[std::size_t(j)], size, size).norm();
        most = std::max(most, std::abs(have - want) / hand.A.maxCoeff());
      }
    }
    least = std::min(least, most);
  } while (std::next_permutation(order.begin(), order.end()));
  return least;
}

struct Posed {
  double off = 0;
  std::vector<double> v;
};

// The first problem of the step: peg may look at a step more than once.
Posed pose(const Falling& f, ContactSettings settings, FrictionKind friction) {
  settings.friction = friction;
  const Model model = compile(world_of(f));
  Simulator simulator(model, settings);
  State state(model);
  const Input input(model);
  for (std::size_t k = 0; k < 3; ++k) state.v[k] = f.velocity[int(k)];
  Posed out;
  out.off = kInfinity;
  const ByHand hand(f);
  simulator.contact().watch([&](const Problem& p, const Answer&) {
    if (out.off == kInfinity) out.off = off_by(p, hand);
  });
  simulator.step(state, input);
  out.v = state.v;
  return out;
}

}  // namespace

Outcome only_unilateral(const Progress& progress) {
  Outcome outcome;
  for (const FrictionKind friction : {FrictionKind::none, FrictionKind::cone}) {
    if (progress) progress(friction == FrictionKind::none ? 0 : 0.5);
    Dice dice(kFreshSeed);
    double peg_off = 0, st_off = 0, apart = 0;
    for (int i = 0; i < kBoxes; ++i) {
      const Falling f = random_box(dice);
      const Posed peg = pose(f, peg_settings(false), friction),
                  st = pose(f, printed_st(), friction);
      peg_off = std::max(peg_off, peg.off);
      st_off = std::max(st_off, st.off);
      for (std::size_t k = 0; k < peg.v.size(); ++k)
        apart = std::max(apart, std::abs(peg.v[k] - st.v[k]));
    }
    Check c;
    c.id = "P-T10";
    c.statement = fmt::format(
        "U alone, friction {}: how far the problem of peg, and of st, is from Stewart and "
        "Trinkle's by "
        "hand (relative), and their velocities from each other (m/s, rad/s)",
        name(friction));
    const bool same = peg_off <= 1e-12 && st_off <= 1e-12;
    c.paper =
        as_printed(std::string("reduces to ST"), same && apart <= 1e-9, "the problems differ");
    c.expected = "<= 1e-12, <= 1e-12, <= 1e-9";
    c.measured = std::vector<double>{peg_off, st_off, apart};
    c.pass = same && apart <= 1e-9;
    c.settings = fmt::format(
        "{}, {}; both with --friction {} --step {}; {} boxes of 0.1 to 1 m that come down flat on "
        "the "
        "ground and slide (seed {})",
        flags_of(peg_settings(false)), flags_of(printed_st()), name(friction), "1/240", kBoxes,
        kFreshSeed);
    outcome.checks.push_back(std::move(c));
  }
  return outcome;
}

}  // namespace abut::reproduce
