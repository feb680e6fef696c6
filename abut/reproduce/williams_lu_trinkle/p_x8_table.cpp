// P-X8, Table 1 of Williams, Lu and Trinkle, as measured properties: impulses of a pair whose
// vertices meet, overlap at the end of a large step, and where impulses act.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/model/kinematics.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {

namespace {

struct Properties {
  double impulses = 0;     // the most of one pair of vertices
  double overlap = 0;      // m
  double off_surface = 0;  // m
  int pressed = 0;         // how many impulses that is of
};

void add(Properties& p, const StepOutcome& step, int manifolds) {
  p.impulses = std::max(p.impulses, std::ceil(double(step.impulses.size()) / manifolds));
  p.overlap = std::max(p.overlap, step.overlap);
  p.pressed += static_cast<int>(step.impulses.size());
  for (const Impulse& i : step.impulses) p.off_surface = std::max(p.off_surface, i.off_surface);
}

// A penalty has no force before there is overlap: its second step is looked at.
void add_second_step(Properties& p, const Model& model, const ContactSettings& settings,
                     const Prepare& prepare) {
  Simulator simulator(model, settings);
  State state(model);
  Input input(model);
  if (const int key = model.find_keyframe("go"); key >= 0) set_keyframe(model, key, state, &input);
  if (prepare) prepare(state, input);
  simulator.step(state, input);
  Derived d(model);
  positions(model, state, input, d);
  simulator.step(state, input);
  const ContactForces forces = simulator.contact_forces();
  int count = 0;
  for (const PointForce& f : forces.points) {
    if (!(f.force.norm() > 0)) continue;
    ++count;
    for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
      const std::size_t body =
          static_cast<std::size_t>(model.geoms[static_cast<std::size_t>(g)].body);
      p.off_surface = std::max(
          p.off_surface, surface_distance(placed_solid(model, g, d.body_pose[body]), f.position));
    }
  }
  p.impulses = std::max(p.impulses, double(count));
  p.pressed += count;
}

}  // namespace

Outcome table_of_models(const Progress& progress) {
  Outcome outcome;
  const auto push = [](State&, Input& input) { input.wrench[1][0] = 4; };
  // a vertex that comes down on the middle of an edge: everyone has an impulse there
  const auto over_edge = [](State& state, Input&) { state.q[0] = -0.9, state.q[1] = 0.3; };
  struct Scene {
    Model model;
    Prepare prepare;
    int manifolds;  // pairs of vertices that meet
  };
  std::vector<Scene> scenes;
  scenes.push_back({compile(triangle_world(triangles_on_a_line())), {}, 1});
  scenes.push_back({compile(triangle_world(triangles_tilted())), {}, 1});
  scenes.push_back({compile(block_on_block(0.1)), push, 4});
  scenes.push_back({compile(corner()), over_edge, 1});

  const std::array<const char*, 3> attributes{
      "1. only one impulse per contact manifold: the most in one, of how many",
      "2. no interpenetration for reasonable steps: the deepest overlap (m)",
      "3. impulses only at body surfaces: the farthest from them (m), of how many"};
  // the table: columns PM ST AP LNC PEG (P-20), and PEG with the constraints of the paper
  constexpr std::size_t kColumns = 6;
  constexpr bool kPaper[3][kColumns] = {{true, false, false, true, true, true},
                                        {false, true, true, false, true, true},
                                        {false, false, false, true, true, true}};
  const auto column = [](std::size_t m) {
    return m < 5 ? five_models()[m] : NamedModel{"PEG as printed", paper_settings(true)};
  };
  std::array<Properties, kColumns> measured;
  for (std::size_t m = 0; m < kColumns; ++m) {
    if (progress) progress(double(m) / kColumns);
    for (const Scene& s : scenes) {
      add(measured[m], take_step(s.model, column(m).settings, s.prepare), s.manifolds);
      if (m == 0) add_second_step(measured[m], s.model, column(m).settings, s.prepare);
    }
  }
  for (std::size_t row = 0; row < 3; ++row)
    for (std::size_t m = 0; m < kColumns; ++m) {
      const Properties& p = measured[m];
      const bool holds = row == 0   ? p.impulses <= 1
                         : row == 1 ? p.overlap <= 1e-9
                                    : p.off_surface <= 1e-9;
      Check c;
      c.id = "P-T9";
      c.statement = fmt::format("{}: {}", column(m).name, attributes[row]);
      c.paper = as_printed(std::string(kPaper[row][m] ? "yes" : "no"), holds == kPaper[row][m],
                           "measured otherwise in one of the four scenes");
      c.expected =
          std::array{kPaper[row][m] ? "<= 1" : "> 1", kPaper[row][m] ? "<= 1e-9" : "> 1e-9",
                     kPaper[row][m] ? "<= 1e-9" : "> 1e-9"}[row];
      c.measured = row == 0   ? Value(std::vector<double>{p.impulses, double(p.pressed)})
                   : row == 1 ? Value(p.overlap)
                              : Value(std::vector<double>{p.off_surface, double(p.pressed)});
      c.pass = holds == kPaper[row][m] && (row == 1 || p.pressed > 0);
      if (m == 5) {  // gaps are linear in the step (28), and bodies turn: P-X5
        c.expected = "reported";
        c.pass = {};
        c.paper.why =
            holds ? "" : "(28) predicts gaps that are linear in the step, and bodies turn";
      }
      c.settings = fmt::format(
          "{}; one step each of F11-G, F11-T, block on block pushed with 4 N, and a vertex on the "
          "middle of an edge; PM: its second step",
          flags_of(column(m).settings));
      outcome.checks.push_back(std::move(c));
    }
  return outcome;
}

}  // namespace abut::reproduce
