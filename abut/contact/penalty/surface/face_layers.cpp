#include "abut/contact/penalty/surface/face_layers.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/math/index.h"
#include "abut/shape/hull.h"

namespace abut {

namespace {

// The box over a face, as thick as the layer on both sides of it.
Polyhedron box_over(const Polyhedron& core, int face, double thickness) {
  std::vector<Vec3> points;
  for (const int v : core.face_loop(face))
    for (const double side : {-thickness, thickness})
      points.push_back(core.vertices[at(v)] + side * core.faces[at(face)].eta);
  return convex_hull(points);
}

}  // namespace

FaceLayers::FaceLayers(const Model& model, const Collider& collider, const LayerTable& layers)
    : first_box_(model.geoms.size(), -1), thickness_(model.geoms.size(), 0.0) {
  if (!layers.any_given())
    throw WorldError(
        "abut.quasirigid.layers = 'faces': describe the layer of a geom, for example "
        "<numeric name=\"abut.layer.tyre\" data=\"0.02 1e7\"/>");
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    const std::optional<Layer>& layer = layers.of_geom(g);
    if (!layer) continue;
    const Convex& solid = collider.solids()[g];
    if (!solid.is_half_space() && (!solid.is_polyhedron() || collider.solids().is_compound(g)))
      throw WorldError(fmt::format(
          "abut.quasirigid.layers = 'faces': geom '{}' has a layer and no faces; use boxes, convex "
          "meshes and planes, or layers 'inside'",
          model.geom_names[g]));
    thickness_[at(g)] = layer->thickness;
    if (solid.is_half_space()) continue;
    first_box_[at(g)] = boxes_.count();
    for (int f = 0; f < solid.polyhedron->face_count(); ++f)
      boxes_.add(box_over(*solid.polyhedron, f, layer->thickness));
  }
}

// Into `common`, in the frame of the box, which is the core's own (X_WL); a half-space's is raised.
void FaceLayers::clip(const PairView& pair, bool of_b, const Feature& face, Intersection& common,
                      Pose& X_WL) {
  X_WL = of_b ? pair.pose_b() : pair.pose_a();
  const Pose X_WO = of_b ? pair.pose_a() : pair.pose_b();
  const Convex &core = of_b ? pair.solid_b() : pair.solid_a(),
               &other = of_b ? pair.solid_a() : pair.solid_b();
  const Vec3 into_other = of_b ? Vec3(-pair.patch.normal) : pair.patch.normal;
  if (core.is_half_space()) X_WL.p += thickness_[at(core_)] * into_other;
  const Convex& layer = core.is_half_space() ? core : boxes_[first_box_[at(core_)] + face.index];
  // facets of what is curved follow the contact
  const Vec3 towards = X_WO.q.conjugate() * -into_other;
  const Vec3 across =
      X_WO.q.conjugate() * (X_WL.q * (X_WL.q.conjugate() * into_other).unitOrthogonal());
  const double depth = std::max(thickness_[at(core_)] - pair.patch.distance, 0.0);
  const Convex& flat = buffers_.facets_B.around(other, towards, across, depth);
  clip_volume(layer, flat, relative(X_WL, X_WO), buffers_.clip, common);
}

bool FaceLayers::find(const PairView& pair, CommonPart& part, ContactSurface& surface) {
  const auto has_layer = [&](int geom, const Convex& solid, const Feature& closest) {
    return thickness_[at(geom)] > pair.patch.distance && thickness_[at(geom)] > 0 &&
           (solid.is_half_space() || closest.kind == FeatureKind::face);
  };
  const bool of_a = has_layer(pair.patch.geom_a, pair.solid_a(), pair.patch.a);
  if (!of_a && !has_layer(pair.patch.geom_b, pair.solid_b(), pair.patch.b)) return false;
  core_ = of_a ? pair.patch.geom_a : pair.patch.geom_b;
  const Feature& face = of_a ? pair.patch.a : pair.patch.b;
  part.is_round = false;
  clip(pair, !of_a, face, part.common, part.X_WA);

  const Convex& core = of_a ? pair.solid_a() : pair.solid_b();
  const Pose X_WC = of_a ? pair.pose_a() : pair.pose_b();
  Vec3 normal = pair.patch.normal, on_core = X_WC.p;
  if (!core.is_half_space()) {
    const Vec3 out = X_WC.q * core.polyhedron->faces[at(face.index)].eta;
    normal = of_a ? out : Vec3(-out);
    on_core = X_WC * core.polyhedron->vertices[at(core.polyhedron->face_loop(face.index)[0])];
  }
  top_ = {normal.dot(on_core) + (of_a ? 1 : -1) * thickness_[at(core_)], of_a};
  surface = {};
  surface.depth = thickness_[at(core_)] - pair.patch.distance;
  return part.common.volume > 0 &&
         spread_surface(part, normal, pair_size(pair.solid_a(), pair.solid_b()), surface);
}

}  // namespace abut
