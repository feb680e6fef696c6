#include "abut/contact/penalty/surface/facet_normals.h"

#include "abut/collide/normal.h"
#include "abut/math/index.h"

namespace abut {

namespace {

bool has_faces(const Convex& solid) { return solid.is_half_space() || solid.is_polyhedron(); }

}  // namespace

void FacetNormals::apply(const Model& model, const ConvexSet& solids, const Derived& d,
                         ContactData& data) {
  for (Patch& patch : data.patches) {
    if (patch.of_field) continue;
    const Convex &A = solids[patch.solid_a()], &B = solids[patch.solid_b()];
    if (!(patch.distance < 0) || !has_faces(A) || !has_faces(B)) continue;
    const Pose X_WA = geom_pose(model, d, patch.geom_a), X_WB = geom_pose(model, d, patch.geom_b);
    const Transform X_AB = relative(X_WA, X_WB);
    clip_volume(A, B, X_AB, clip_, common_);
    Proximity near;
    near.normal = X_WA.q.conjugate() * patch.normal;
    NormalQuery query{A, B, X_AB};
    query.proximity = &near;
    query.common = &common_;
    const ContactNormal n = contact_normal(NormalRule::minmax_facet, query);
    if (!n.defined) continue;
    patch.normal = X_WA.q * n.normal;
    patch.a = n.a;
    patch.b = n.b;
  }
}

}  // namespace abut
