// What the examples of public headers and of docs/api.md take as given (examples.awk). Declared and
// never defined: the examples are compiled, and not run.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "abut/collide/broad/broad_phase.h"
#include "abut/collide/broad/filter.h"
#include "abut/collide/collide.h"
#include "abut/collide/contact_data.h"
#include "abut/collide/manifold/manifold.h"
#include "abut/collide/normal.h"
#include "abut/collide/pair_contact.h"
#include "abut/collide/patch/patch.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/collide/solid/feature.h"
#include "abut/collide/volume/clip_volume.h"
#include "abut/collide/volume/dual_volume.h"
#include "abut/collide/volume/intersection.h"
#include "abut/contact/choose.h"
#include "abut/contact/combinations.h"
#include "abut/contact/contact_force.h"
#include "abut/contact/contact_model.h"
#include "abut/contact/contact_step.h"
#include "abut/contact/impulse_model.h"
#include "abut/constrain/rows/material.h"
#include "abut/contact/model_info.h"
#include "abut/contact/penalty/force_law.h"
#include "abut/contact/penalty/penalty_model.h"
#include "abut/contact/plugin.h"
#include "abut/contact/registry.h"
#include "abut/contact/settings.h"
#include "abut/dynamics/articulated.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/energy.h"
#include "abut/dynamics/forward.h"
#include "abut/dynamics/integrate.h"
#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/load/load.h"
#include "abut/load/load_options.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/load/urdf/urdf.h"
#include "abut/math/file_error.h"
#include "abut/math/linear_program.h"
#include "abut/math/random.h"
#include "abut/math/rotation.h"
#include "abut/math/spatial.h"
#include "abut/math/transform.h"
#include "abut/math/types.h"
#include "abut/model/contact_memory.h"
#include "abut/model/derived.h"
#include "abut/model/input.h"
#include "abut/model/kinematics.h"
#include "abut/model/maximal.h"
#include "abut/model/measure.h"
#include "abut/model/model.h"
#include "abut/model/state.h"
#include "abut/model/world.h"
#include "abut/shape/aabb.h"
#include "abut/shape/drawing.h"
#include "abut/shape/error.h"
#include "abut/shape/height_field.h"
#include "abut/shape/hull.h"
#include "abut/shape/kind.h"
#include "abut/shape/mass_properties.h"
#include "abut/shape/polyhedron.h"
#include "abut/shape/primitives.h"
#include "abut/shape/shape.h"
#include "abut/shape/triangle_mesh.h"
#include "abut/simulate/contact_forces.h"
#include "abut/simulate/measure.h"
#include "abut/simulate/measures_csv.h"
#include "abut/simulate/outside.h"
#include "abut/simulate/overlap.h"
#include "abut/simulate/profile.h"
#include "abut/simulate/record/record.h"
#include "abut/simulate/record/record_settings.h"
#include "abut/simulate/record/recording.h"
#include "abut/simulate/run.h"
#include "abut/simulate/simulator.h"
#include "abut/solve/answer.h"
#include "abut/solve/fclib/fclib_file.h"
#include "abut/solve/fclib/problem_formats.h"
#include "abut/solve/file/problem_content.h"
#include "abut/solve/file/problem_file.h"
#include "abut/solve/generate/generate.h"
#include "abut/solve/matrix.h"
#include "abut/solve/problem.h"
#include "abut/solve/residuals.h"
#include "abut/solve/solver.h"
#include "abut/version.h"
#include "abut/view/live/live.h"
#include "abut/view/live/server.h"
#include "abut/view/page/page_file.h"
#include "abut/view/page/report.h"
#include "abut/view/page/viewer_page.h"
#include "abut/view/plot/draw.h"
#include "abut/view/plot/plot.h"
#include "abut/view/plot/series.h"
#include "abut/view/scene/film.h"

namespace given {

struct Anything {
  template <class T>
  operator T() const;
};
Anything anything();
template <class... T>
void use(T&&...);
template <class... T>
void print(T&&...);
template <class... T>
void push_apart(T&&...);

extern abut::Model model;
extern abut::State state, start;
extern abut::Input input;
extern abut::Derived derived, d;
extern abut::Simulator simulator;
extern abut::Sample sample;
extern abut::ContactForces forces;
extern abut::RunSettings settings;

extern abut::Problem problem;
extern std::unique_ptr<abut::Solver> solver;
extern abut::Answer answer;
extern abut::VectorX x, y;
extern std::uint64_t seed;

extern std::vector<abut::Vec3> points;
extern std::vector<abut::Pose> poses;
extern abut::Vec3 p, p_B, normal;
extern abut::Aabb other;
extern abut::Polyhedron box;
extern abut::TriangleMesh mesh;
extern abut::MassProperties mass;
extern abut::Pose X_WA, X_WB, X_WC, X_WG, X_SP;
extern abut::Transform X_AB;
extern abut::Convex a, b;
extern abut::Intersection common;
extern abut::ClipBuffers buffers;
extern abut::PairFilter filter;
extern abut::ContactData data, contacts;
extern abut::Drawing drawing;
extern int geom, geom_a, geom_b, cup;
extern std::int64_t step;

extern abut::Choice choice;
const abut::ModelInfo& my_info();
std::unique_ptr<abut::ContactModel> make_mine(const abut::ContactWorld& world);

struct MyLaw {
  static constexpr int kPairWidth = 0, kPointWidth = 0;
  template <class Push>
  void forces(const abut::PairView& pair, const abut::PairRecall& memory, Push&& push) {}
  void advance(const abut::PairView& pair, const abut::PairRecall& memory, abut::PairKeep now,
               abut::PairKeep next);
  bool keeps_accounts() const;
};

extern std::unique_ptr<abut::view::Session> session;
extern abut::view::Outlet outlet;
extern abut::view::ServerHandlers handlers;
extern abut::view::Series series;
extern abut::view::RunFacts facts;
extern abut::view::Film film;
extern std::span<const abut::view::Film* const> lanes;
void open_in_browser(const std::string& address);
extern std::uint64_t client;
extern double time, joules;
extern std::string page, bytes;

}  // namespace given
