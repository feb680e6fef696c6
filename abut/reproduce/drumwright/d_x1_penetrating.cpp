// D-X1, Figs 7 to 9 of Drumwright: a block that starts inside the ground, turned at random, comes
// out of it and rests. LCP methods have no answer here: they hold accelerations, and know no depth.
#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/drumwright/d_run.h"
#include "abut/reproduce/random_hull.h"

namespace abut::reproduce {
namespace {

constexpr int kSteps = 3000, kLate = 2500;
const PenaltyGains kMulti{}, kDeepest{"deepest", 6000, 3000, 200};

// Three of each mass are written down (D-X1); the others are tilted by 0.1 to
// 0.6 rad about an axis at random.
std::vector<std::pair<double, Quat>> starts() {
  std::vector<std::pair<double, Quat>> all{{10, Quat(0.968602, -0.233264, -0.043745, 0.074054)},
                                           {10, Quat(0.997986, 0.007204, -0.036290, -0.051534)},
                                           {10, Quat(0.998067, 0.049179, 0.008206, -0.037102)},
                                           {50, Quat(0.987428, 0.106862, 0.013550, -0.115686)},
                                           {50, Quat(0.989053, -0.121761, -0.065871, -0.051082)},
                                           {50, Quat(0.982212, 0.128137, -0.014608, -0.136485)}};
  Dice dice(1);
  for (int i = 0; i < 7; ++i) {
    const Vec3 axis = dice.direction();
    all.emplace_back(10, Quat(Eigen::AngleAxisd(dice.uniform(0.1, 0.6), axis)));
  }
  for (auto& [mass, q] : all) q.normalize();
  return all;
}

}  // namespace

Outcome penetrating_block(const Progress& progress) {
  Outcome outcome;
  int better = 0, of = 0;
  double worst_ratio = 1e300, worst_depth = 0, answer = 1;
  std::vector<double> heavy_multi, heavy_deepest;
  double depth_many = 0, depth_one = 0;  // m, at the end, mean over the starts of 10 kg
  const auto all = starts();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (progress) progress(static_cast<double>(i) / static_cast<double>(all.size()));
    const auto& [mass, q] = all[i];
    const World world = block_on_plane(mass, {0, 0, 0.45}, q);
    const BlockRun multi = run_block(world, kMulti, kSteps),
                   deepest = run_block(world, kDeepest, kSteps);
    const double ratio = deepest.mean_kinetic(kLate) / multi.mean_kinetic(kLate);
    const double rest = mass * 9.81 / (kMulti.kp + kMulti.ki / 0.15);
    const double off = std::abs(multi.penetration.back() / rest - 1);
    if (mass == 10) {
      ++of;
      better += ratio >= 10;
      worst_ratio = std::min(worst_ratio, ratio);
      worst_depth = std::max(worst_depth, off);
      answer = std::min(answer, answer_to_push(world, kMulti, multi.end));
      depth_many += 0.1 * multi.penetration.back();
      depth_one += 0.1 * deepest.penetration.back();
    } else {
      heavy_multi.push_back(multi.mean_kinetic(kLate));
      heavy_deepest.push_back(deepest.mean_kinetic(kLate));
    }
    if (i > 0) continue;
    outcome.drawings.push_back(block_picture("Fig. 7 a: before", {multi.pose[0]}));
    outcome.drawings.push_back(block_picture("Fig. 7 b: after 1000 steps", {multi.pose[1000]}));
    outcome.graphs.push_back({"Fig. 8: kinetic energy",
                              "step",
                              "",
                              "log10 of kinetic energy",
                              "J",
                              {curve("many points", multi.kinetic, 10, true),
                               curve("deepest point", deepest.kinetic, 10, true)}});
    outcome.graphs.push_back({"Fig. 9: penetration",
                              "step",
                              "",
                              "penetration",
                              "m",
                              {curve("many points", multi.penetration, 10, false),
                               curve("deepest point", deepest.penetration, 10, false)}});
  }
  const std::string settings = fmt::format(
      "{} against {}, both with {} --time 3; unit cube, centre at 0.45 m; 3 orientations as listed "
      "and 7 of seed 1",
      flags_of(kMulti), flags_of(kDeepest), kBlockFlags);
  const auto row = [&](const char* id, std::string claim, Printed paper, std::string expected,
                       Value measured, std::optional<bool> pass) {
    outcome.checks.push_back({.id = id,
                              .statement = std::move(claim),
                              .paper = std::move(paper),
                              .expected = std::move(expected),
                              .measured = std::move(measured),
                              .pass = pass,
                              .settings = settings,
                              .world = "multipoint/block"});
  };
  row("D-T1",
      fmt::format("kinetic energy of the last 500 steps is a tenth of that at one point or less: "
                  "how often of {}, least ratio",
                  of),
      as_printed(std::string("unable to lower the kinetic energy of the deepest-point method"),
                 better >= 9, "the deepest point is as calm in more than one of ten"),
      ">= 9 of 10", std::vector<double>{double(better), worst_ratio}, of == 10 && better >= 9);
  std::vector<double> heavy = heavy_multi;
  heavy.insert(heavy.end(), heavy_deepest.begin(), heavy_deepest.end());
  row("D-T1", "the same with 50 kg: mean kinetic energies (J), many points, then one", {},
      "reported", heavy, {});
  row("D-T2", "it rests where m g = (k_p + k_i / (1 - lambda)) d: largest deviation",
      as_printed(std::string("a penetration of 0.02 represents a penetration of 2%"),
                 worst_depth <= 0.02, "the block does not come to rest where the springs carry it"),
      "<= 0.02 (d 0.01731 m)", worst_depth, worst_depth <= 0.02);
  row("D-T2", "at rest it answers to 1e-3 m/s in the next step: least movement (m)", {}, "> 5e-7",
      answer, answer > 5e-7);
  const double stiff_one = kDeepest.kp + kDeepest.ki / 0.15,
               stiff_many = kMulti.kp + kMulti.ki / 0.15;
  row("D-T18", "penetration at rest (m), many points, then one",
      as_printed(
          std::string("unable to lower the penetration of the deepest-point method"),
          depth_many < depth_one,
          fmt::format("at rest m g = (k_p + k_i / (1 - lambda)) d: the printed gains make the "
                      "deepest-point method the stiffer one, {:.0f} against {:.0f} N/m",
                      stiff_one, stiff_many)),
      fmt::format("many: {:.4f} within 2 %; one: {:.4f} if it did not rock", 98.1 / stiff_many,
                  98.1 / stiff_one),
      std::vector<double>{depth_many, depth_one},
      std::abs(depth_many * stiff_many / 98.1 - 1) <= 0.02);
  return outcome;
}

}  // namespace abut::reproduce
