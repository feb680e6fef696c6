// P-X6, Figs 10 and 12 of Williams, Lu and Trinkle: a cube falls onto another of the same size,
// vertex over vertex, in one step of 0.25 s; then the same with a push of 4 N from the side.
#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"

namespace abut::reproduce {

Outcome two_blocks(const Progress& progress) {
  constexpr double kStep = 0.25, kGravity = 9.81, kPush = 4;  // s, m/s^2, N
  Outcome outcome;
  const auto push = [](State&, Input& input) { input.wrench[1][0] = kPush; };
  const auto caption = [](const std::string& name, bool holds) {
    const char* text =
        name == "PM" ? "after a single time step the penalty method has allowed a large penetration"
        : name == "ST"  ? "each vertex in contact is trapped by the three nearest faces"
        : name == "AP"  ? "the contacts erroneously prevent the top body from falling"
        : name == "LNC" ? "allows the top body to fall through the bottom; the same as PM"
                        : "prevents penetration; the red body is free to move horizontally";
    return as_printed(std::string(text), holds, "the block moves otherwise");
  };
  double done = 0;
  for (const double gap : {0.1, 0.3}) {
    const Model model = compile(block_on_block(gap));
    for (const NamedModel& m : five_models()) {
      if (progress) progress(done);
      done += 0.1;
      const std::string name = m.name;
      const bool falls = name == "PM" || name == "LNC", lands = name == "ST" || name == "PEG";
      const double v_z = falls ? -kGravity * kStep : lands ? -gap / kStep : 0;
      const double v_x = name == "ST" || name == "AP" ? 0 : kPush * kStep;
      const StepOutcome end = take_step(model, m.settings),
                        pushed = take_step(model, m.settings, push);
      for (const StepOutcome* s : {&end, &pushed}) {
        outcome.drawings.push_back(step_picture(
            model, *s, fmt::format("Fig. 12, {}{}", name, s == &pushed ? ", pushed" : "")));
        outcome.drawings.back().notes = {
            fmt::format("gap {} m before, {:.4f} m after", gap,
                        std::round(1e6 * (s->after[1].p.z() - 1)) / 1e6 + 0.0)};
      }
      const double off =
          std::max({std::abs(end.velocity[2] - v_z), std::abs(pushed.velocity[2] - v_z),
                    std::abs(pushed.velocity[0] - v_x), std::abs(end.velocity[0]),
                    std::abs(end.after[1].p.z() - (1 + gap + kStep * v_z)),
                    std::abs(pushed.after[1].p.x() - kStep * v_x)});
      const int level = std::max(end.report.level, pushed.report.level);
      Check check;
      check.id = "P-T7";
      check.statement =
          fmt::format("{}, gap {} m: v_z (m/s), end gap (m), v_x when pushed (m/s)", name, gap);
      check.paper = caption(name, off < 1e-9);
      check.expected = fmt::format("{}, {:.6g}, {} to 1e-9", v_z, gap + kStep * v_z, v_x);
      check.measured =
          std::vector<double>{end.velocity[2], end.after[1].p.z() - 1, pushed.velocity[0]};
      check.pass = off < 1e-9 && (name != "PEG" || level == 0);
      check.settings =
          fmt::format("{} --step {} --time {}; cubes of 1 m and 1 kg, push {} N; fallback level {}",
                      flags_of(m.settings), kStep, kStep, kPush, level);
      if (gap == 0.1) check.world = "peg/block_on_block";
      outcome.checks.push_back(std::move(check));
    }
    ContactSettings printed = peg_settings();
    printed.model = "peg-paper";
    const StepOutcome end = take_step(model, printed);
    Check check;
    check.id = "P-T7";
    check.statement = fmt::format(
        "peg-paper, gap {} m: a set of contacts satisfies all I and X: v_z (m/s), fallback level",
        gap);
    check.paper = caption("PEG", std::abs(end.velocity[2] + gap / kStep) < 1e-9);
    check.settings = fmt::format("{} --step {} --time {}; cubes of 1 m and 1 kg", flags_of(printed),
                                 kStep, kStep);
    check.expected = fmt::format("{} to 1e-9, 0", -gap / kStep);
    check.measured = std::vector<double>{end.velocity[2], double(end.report.level)};
    check.pass = std::abs(end.velocity[2] + gap / kStep) < 1e-9 && end.report.level == 0;
    outcome.checks.push_back(std::move(check));
  }
  return outcome;
}

}  // namespace abut::reproduce
