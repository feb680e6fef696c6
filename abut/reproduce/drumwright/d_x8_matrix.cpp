// D-X8: A = J M^-1 J' of an LCP by the two ways that Drumwright names (IV-D; D-15), and by abut's.
// Kokkevis asks what accelerations unit forces make; Ruspini and Khatib have M^-1 in full. "Further
// research is necessary to determine where the approaches are most applicable."
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <memory>

#include "abut/constrain/rows/constraint_rows.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/model/kinematics.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/drumwright/d_robots.h"
#include "abut/reproduce/flags.h"

namespace abut::reproduce {
namespace {

constexpr int kPoints = 20;  // ten a wheel
constexpr std::array kLengths{8, 16, 32, 64, 128};

struct Way {
  const char* name;
  InverseBy by;
};
constexpr std::array<Way, 3> kWays{
    {{"factors of M (abut)", InverseBy::factors},
     {"unit forces (Kokkevis)", InverseBy::unit_forces},
     {"operational space (Ruspini, Khatib)", InverseBy::operational_space}}};

// A chain of hinges on a free base; contacts are at its end.
World chain_of(int links) {
  World world;
  BodyDesc* last = &world.body("base");
  last->free();
  last->box(Vec3::Constant(0.05)).mass = 1;
  for (int i = 0; i < links; ++i) {
    last = &last->body(fmt::format("link{}", i), {0.1, 0, 0});
    last->hinge(fmt::format("joint{}", i), i % 2 ? Vec3::UnitZ() : Vec3::UnitY());
    last->box(Vec3::Constant(0.04)).mass = 0.5;
  }
  return world;
}

// A mechanism with points that touch the ground, and the matrix of their normal forces.
class Touching {
 public:
  Touching(const World& world, const std::vector<std::string>& names)
      : model_(compile(world)), d_(model_), rows_(model_) {
    State state(model_);
    for (std::size_t i = 7; i < state.q.size(); ++i) state.q[i] = 0.2 * std::sin(double(i));
    positions(model_, state, Input(model_), d_);
    velocities(model_, state, d_);
    mass_matrix(model_, d_);
    factor(model_, d_);
    for (const std::string& name : names) bodies_.push_back(model_.body_names.find(name));
  }
  int dofs() const { return model_.nv; }

  // M and its factors are there already, for the free motion.
  const BlockRows& matrix(InverseBy by) {
    rows_.invert_by(by);
    rows_.begin(d_);
    for (int i = 0; i < kPoints; ++i) {
      const int body = bodies_[std::size_t(i) % bodies_.size()];
      const Vec3 at = d_.body_pose[std::size_t(body)].p +
                      0.1 * Vec3(std::cos(double(i)), std::sin(double(i)), -1);
      rows_.add_point(rows_.add(1, body, 0), 0, body, at, Vec3::UnitZ(), 1);
    }
    rows_.finish();
    rows_.delassus(A_);
    return A_;
  }
  double microseconds(InverseBy by) {
    constexpr double kLong = 4e-3;  // s
    matrix(by);
    int count = 0;
    const std::clock_t start = std::clock();
    double seconds = 0;
    while (seconds < kLong) {
      for (int i = 0; i < 4; ++i, ++count) matrix(by);
      seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
    }
    return 1e6 * seconds / count;
  }

 private:
  Model model_;
  Derived d_;
  ConstraintRows rows_;
  BlockRows A_;
  std::vector<int> bodies_;
};

// Largest difference of two matrices, over the largest entry.
double apart(const BlockRows& A, const BlockRows& B) {
  double most = 0, largest = 0;
  for (std::size_t i = 0; i < A.values.size(); ++i) {
    most = std::max(most, std::abs(A.values[i] - B.values[i]));
    largest = std::max(largest, std::abs(A.values[i]));
  }
  return most / largest;
}

struct Case {
  std::string name;
  std::unique_ptr<Touching> touching;
};

Case case_of(std::string name, const World& world, const std::vector<std::string>& touching) {
  return {std::move(name), std::make_unique<Touching>(world, touching)};
}

Check times_of(Case& c, bool robot) {
  const BlockRows ours = c.touching->matrix(InverseBy::factors);
  double off = 0;
  std::vector<double> numbers;
  for (const Way& way : kWays) {
    off = std::max(off, apart(ours, c.touching->matrix(way.by)));
    numbers.push_back(c.touching->microseconds(way.by));
  }
  numbers.push_back(off);
  Check check;
  check.id = "D-T20";
  check.statement = fmt::format(
      "{}, {} points: A by factors of M, by unit forces, by the operational space (us each); "
      "largest difference, over the largest entry",
      c.name, kPoints);
  if (robot)
    check.paper =
        as_printed(std::string("Ruspini and Khatib's may be faster, particularly for bodies with "
                               "relatively few degrees of freedom"),
                   numbers[2] < numbers[1], "unit forces take less time here");
  check.timed = true;
  check.expected = "differences <= 1e-9; times are reported";
  check.measured = numbers;
  check.pass = off <= 1e-9;
  check.settings =
      "--contact baraff --set baraff.matrix=factors, unit-forces, operational-space; normal rows "
      "of "
      "points on both wheels, or at the end of a chain of hinges; M and its factors are there for "
      "the free motion, and not counted";
  return check;
}

}  // namespace

Outcome matrix_of_an_lcp(const Progress& progress) {
  Outcome outcome;
  for (const bool humanoid : {false, true}) {
    Case robot = case_of(humanoid ? "humanoid" : "mobile robot", robot_on_wheels(humanoid),
                         {"left", "right"});
    outcome.checks.push_back(times_of(robot, true));
  }

  Graph graph{"A of 20 contacts at the end of a chain of hinges",
              "degrees of freedom",
              "",
              "processor time",
              "us",
              {}};
  for (const Way& way : kWays) graph.curves.push_back({way.name, {}});
  for (const int links : kLengths) {
    if (progress) progress(links / 200.0);
    Case chain = case_of(fmt::format("chain of {} hinges", links), chain_of(links),
                         {fmt::format("link{}", links - 1)});
    outcome.checks.push_back(times_of(chain, false));
    const auto& numbers = std::get<std::vector<double>>(outcome.checks.back().measured);
    for (std::size_t w = 0; w < kWays.size(); ++w)
      graph.curves[w].points.emplace_back(chain.touching->dofs(), numbers[w]);
  }
  outcome.graphs.push_back(std::move(graph));
  return outcome;
}

}  // namespace abut::reproduce
