// Steps of Williams, Lu and Trinkle's worlds under the models that they compare, and what they
// leave behind: measured from poses, and from where impulses act, the same way whatever made them.
//
//   const Model model = compile(block_on_block(0.1));
//   const StepOutcome end = take_step(model, five_models()[1].settings);
//   show(end.velocity, end.overlap);
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "abut/constrain/step/solve_report.h"
#include "abut/contact/complementarity/peg.h"
#include "abut/contact/settings.h"
#include "abut/model/state.h"
#include "abut/shape/drawing.h"

namespace abut::reproduce {

struct NamedModel {
  const char* name;  // as the paper has it
  ContactSettings settings;
};
// PM, ST, AP, LNC, PEG on contacts of features, all that are near: ap's tolerance is such that it
// sees those of the whole step, as in the paper; nothing is stabilised. PEG is relinearised.
std::span<const NamedModel> five_models();
ContactSettings printed_st();  // st with all contacts linear about the start of the step
ContactSettings peg_settings(bool relinearize = true);
// The constraints of the paper; (24) as one constraint of two vertices, or as printed (P-E7).
ContactSettings paper_settings(bool crossings_printed = false);

struct Impulse {
  Vec3 point = Vec3::Zero();  // m, world: where it acts
  Vec3 on_b = Vec3::Zero();   // N s
  int geom_a = -1, geom_b = -1;
  // m: how far from the finite surfaces it acts. The points of both bodies that it acts on lie on
  // their own surfaces, and one of them, carried along, on both surfaces at the end of the step.
  double off_surface = 0;
};

struct StepOutcome {
  std::vector<Pose> before, after;  // of the bodies
  std::vector<double> velocity;     // v at the end
  std::vector<Impulse> impulses;    // those that are not zero
  double overlap = 0;               // m, the deepest at the end
  double area = 0;                  // m^2, of a planar world's first two geoms at the end
  SolveReport report;
  PegReport peg;
};

using Prepare = std::function<void(State&, Input&)>;
// From the keyframe "go", if there is one.
StepOutcome take_step(const Model& model, const ContactSettings& settings,
                      const Prepare& prepare = {});

// Both solids before (outlined) and after, with the impulses as arrows on the body they push.
Drawing step_picture(const Model& model, const StepOutcome& step, std::string title);

// The polyhedron of a geom in the world, its body being at X_WB.
Polyhedron placed_solid(const Model& model, int geom, const Pose& X_WB);
// Distance of a point to the surface of a solid, or of a geom that is one or a plane (m).
double surface_distance(const Polyhedron& solid, const Vec3& point);
double surface_distance(const Model& model, int geom, const Pose& X_WB, const Vec3& point);

}  // namespace abut::reproduce
