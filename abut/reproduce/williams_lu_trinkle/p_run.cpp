#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "abut/contact/complementarity/feature_model.h"
#include "abut/contact/complementarity/peg_model.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/collide/planar/planar_world.h"
#include "abut/contact/complementarity/feature_stepping.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/overlap.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {

namespace {

ContactSettings settings_of(const std::string& model) {
  ContactSettings s;
  s.model = model;
  s.stabilize = Stabilize::none;
  if (model != "deepest") s.data = ContactSource::features;
  if (model == "ap") s.tolerance = 0.2;
  return s;
}

double overlap_area(const Model& model, const Collider& collider, const Derived& d) {
  const std::optional<WorldPlane>& plane = collider.plane();
  if (!plane) return 0;
  Polygon a, b;
  PlanarScratch scratch;
  make_polygon(collider.solids()[0], geom_pose(model, d, 0), *plane, Vec3::Zero(), a);
  make_polygon(collider.solids()[1], geom_pose(model, d, 1), *plane, Vec3::Zero(), b);
  return planar_overlap(a, b, scratch).area;
}

double segment_distance(const Vec3& x, const Vec3& from, const Vec3& to) {
  const Vec3 along = to - from;
  const double t = std::clamp((x - from).dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (x - from - t * along).norm();
}

}  // namespace

// As printed: every contact within reach is a half-space without end.
ContactSettings printed_st() {
  ContactSettings s = settings_of("st");
  s.own_words["st.contacts"] = "start";
  return s;
}

std::span<const NamedModel> five_models() {
  static const std::array<NamedModel, 5> all{{{"PM", settings_of("deepest")},
                                              {"ST", printed_st()},
                                              {"AP", settings_of("ap")},
                                              {"LNC", settings_of("lnc")},
                                              {"PEG", settings_of("peg")}}};
  return all;
}

ContactSettings peg_settings(bool relinearize) {
  ContactSettings s = settings_of("peg");
  s.own_words["peg.relinearize"] = relinearize ? "on" : "off";
  return s;
}

ContactSettings paper_settings(bool crossings_printed) {
  ContactSettings s = settings_of("peg-paper");
  s.own_words["peg-paper.crossings"] = crossings_printed ? "printed" : "joined";
  return s;
}

double surface_distance(const Polyhedron& solid, const Vec3& point) {
  double least = kInfinity;
  for (int f = 0; f < solid.face_count(); ++f) {
    const std::span<const int> loop = solid.face_loop(f);
    const Vec3& eta = solid.faces[at(f)].eta;
    bool over = true;
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vec3 &from = solid.vertices[at(loop[k])],
                 &to = solid.vertices[at(loop[(k + 1) % loop.size()])];
      over = over && eta.cross(to - from).dot(point - from) >= 0;
      least = std::min(least, segment_distance(point, from, to));
    }
    if (over) least = std::min(least, std::abs(solid.height_above(f, point)));
  }
  return least;
}

Polyhedron placed_solid(const Model& model, int geom, const Pose& X_WB) {
  const Collider collider(model);
  return transformed(*collider.solids()[geom].polyhedron, X_WB * model.geoms[at(geom)].pose);
}

double surface_distance(const Model& model, int geom, const Pose& X_WB, const Vec3& point) {
  const Geom& g = model.geoms[at(geom)];
  if (g.shape.kind == ShapeKind::plane) return std::abs(((X_WB * g.pose).inverse() * point).z());
  return surface_distance(placed_solid(model, geom, X_WB), point);
}

StepOutcome take_step(const Model& model, const ContactSettings& settings, const Prepare& prepare) {
  Simulator simulator(model, settings);
  State state(model);
  Input input(model);
  if (const int key = model.find_keyframe("go"); key >= 0) set_keyframe(model, key, state, &input);
  if (prepare) prepare(state, input);
  StepOutcome out;
  Derived d(model);
  positions(model, state, input, d);
  out.before = d.body_pose;
  simulator.step(state, input);
  positions(model, state, input, d);
  out.after = d.body_pose;
  out.velocity = state.v;
  const ContactStep& contact = simulator.contact();
  out.report = contact.report();
  const auto* peg = contact.as<PegModel>();
  if (peg) out.peg = peg->peg().report();
  if (const auto* of = contact.as<FeatureModel>()) out.peg = of->stepping().report();
  out.overlap = OverlapMeasure(model).of(d).deepest;
  if (model.geoms.size() > 1) out.area = overlap_area(model, contact.collider(), d);

  // peg's rows are of the end of the step once they are relinearised, all others of its start
  const bool of_end =
      peg && own(contact.settings(), "peg.relinearize") == "on" && out.report.level == 0;
  const std::vector<Pose>& then = of_end ? out.after : out.before;
  const auto off = [&](int geom, const std::vector<Pose>& poses, const Vec3& point) {
    return surface_distance(model, geom, poses[at(model.geoms[at(geom)].body)], point);
  };
  for (std::size_t i = 0; i < contact.stepping().contacts().size(); ++i) {
    const Contact& c = contact.stepping().contacts()[i];
    const Vec3& p = contact.stepping().impulses()[i];
    if (!(p.norm() > 1e-12)) continue;
    const Patch& patch = contact.data().patches[at(c.patch)];
    Impulse& impulse = out.impulses.emplace_back();
    impulse.point = c.position;
    impulse.on_b = p;
    impulse.geom_a = patch.geom_a, impulse.geom_b = patch.geom_b;
    double at_end = kInfinity;
    for (const bool of_a : {true, false}) {
      const int geom = of_a ? patch.geom_a : patch.geom_b;
      const std::size_t body = at(model.geoms[at(geom)].body);
      const ContactPoints& points = contact.data().points;
      const Vec3& acts_at = of_a ? points.p_A[at(c.point)] : points.p_B[at(c.point)];
      impulse.off_surface = std::max(impulse.off_surface, off(geom, then, acts_at));
      const Vec3 carried = out.after[body] * (then[body].inverse() * acts_at);
      const double worst =
          std::max(off(patch.geom_a, out.after, carried), off(patch.geom_b, out.after, carried));
      at_end = std::min(at_end, worst);
    }
    impulse.off_surface = std::max(impulse.off_surface, at_end);
  }
  return out;
}

Drawing step_picture(const Model& model, const StepOutcome& step, std::string title) {
  Drawing drawing;
  drawing.title = std::move(title);
  if (plane_of(model)) drawing.eye = {0, -1e-3, 1};  // from above, y up on the paper
  double size = 0;
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    const std::size_t body = at(model.geoms[at(g)].body);
    Polyhedron after = placed_solid(model, g, step.after[body]);
    size = std::max(size, after.size);
    if ((step.after[body].p - step.before[body].p).norm() > 1e-9) {
      const Polyhedron before = placed_solid(model, g, step.before[body]);
      for (int f = 0; f < before.face_count(); ++f) {
        if (before.faces[at(f)].eta.dot(drawing.eye) <= 0) continue;
        std::vector<Vec3> loop;
        for (const int v : before.face_loop(f)) loop.push_back(before.vertices[at(v)]);
        drawing.outlines.push_back(std::move(loop));
      }
    }
    drawing.solids.push_back({std::move(after), g == 0 ? Role::a : Role::b, ""});
  }
  double most = 0;
  for (const Impulse& i : step.impulses) most = std::max(most, i.on_b.norm());
  for (const Impulse& i : step.impulses)
    drawing.arrows.push_back({i.point, i.point + 0.3 * size / most * i.on_b, ""});
  return drawing;
}

}  // namespace abut::reproduce
