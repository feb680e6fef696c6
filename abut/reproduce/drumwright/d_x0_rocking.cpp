// D-X0, Figs 1 and 3 of Drumwright: a cube set on the ground with a tilt of 2 degrees. Pushed up at
// its deepest point alone it rocks from edge to edge; pushed up all over its bottom it lies down.
#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/drumwright/d_run.h"

namespace abut::reproduce {

Outcome rocking_cube(const Progress& progress) {
  constexpr int kSteps = 3000, kLate = 2500;
  const World world = block_on_plane(
      10, {0, 0, 0.5}, Quat(Eigen::AngleAxisd(2 * M_PI / 180, Vec3(1, 0.4, 0).normalized())));
  Outcome outcome;
  Graph graph{"Kinetic energy of a cube set down with a tilt of 2 degrees",
              "step",
              "",
              "log10 of kinetic energy",
              "J",
              {}};
  const auto run = [&](const PenaltyGains& gains, double share) {
    if (progress) progress(share);
    BlockRun r = run_block(world, gains, kSteps);
    graph.curves.push_back(curve(text_of(gains), r.kinetic, 10, true));
    return r;
  };
  const PenaltyGains multi{}, own{"deepest", 6000, 3000, 200}, same{"deepest", 5000, 2500, 100};
  const BlockRun all = run(multi, 0), one = run(own, 0.33), equal = run(same, 0.66);
  outcome.drawings.push_back(
      block_picture("Fig. 1: pushed at the deepest point",
                    {one.pose[0], one.pose[static_cast<std::size_t>(kSteps) - 1]}));
  outcome.drawings.push_back(
      block_picture("Fig. 3: pushed all over the bottom",
                    {all.pose[0], all.pose[static_cast<std::size_t>(kSteps) - 1]}));
  outcome.graphs.push_back(std::move(graph));

  const auto row = [&](const BlockRun& r, const PenaltyGains& gains) {
    const double ratio = r.mean_kinetic(kLate) / all.mean_kinetic(kLate);
    Check check;
    check.id = "D-T0";
    check.statement =
        "at one point it keeps rocking, at many it lies flat: late kinetic energies (J), ratio";
    check.paper =
        as_printed(std::string("the cube oscillates; lies flat and experiences little oscillation"),
                   ratio >= 10, "the kinetic energies are less than a factor of ten apart");
    check.expected = "ratio >= 10";
    check.measured = std::vector<double>{r.mean_kinetic(kLate), all.mean_kinetic(kLate), ratio};
    check.pass = ratio >= 10;
    check.settings = fmt::format(
        "{} against {}, both with {}; unit cube of 10 kg, tilted by 2 degrees, mean of "
        "steps {} to {}",
        flags_of(gains), flags_of(multi), kBlockFlags, kLate, kSteps);
    outcome.checks.push_back(std::move(check));
  };
  row(one, own);
  row(equal, same);
  return outcome;
}

}  // namespace abut::reproduce
