// Contact normals by the rules of the papers, always from A to B (Cheng Yi and Drumwright, III-B,
// IV-D; Hasegawa and Fujii, eq. 1; Drumwright, eq. 4; K-8, K-12, H-5, D-9).
//
//   rule                 apart  kissing  overlapping  needs
//   closest_feature      yes    yes      no           proximity
//   minimum_translation  no     yes      yes          proximity
//   contact_plane        yes    yes      yes          proximity: moved along its normal to touch
//   center_to_center     yes    yes      yes          -
//   area_weighted        no     no       yes          common
//   minmax_facet         no     no       yes          common
//
// Where a rule has no answer, `defined` is false and the normal is zero. The caller then has to
// choose another rule explicitly. The paper's necessary condition says that motion apart along the
// normal separates the two solids (K-8 a). The first three rules always satisfy it. The other three
// do not: docs/contact.md says where.
//
//   abut::NormalQuery query{a, b, X_AB};
//   query.common = &common;
//   abut::ContactNormal n = abut::contact_normal(abut::NormalRule::area_weighted, query);
#pragma once

#include <array>
#include <cstdint>

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/collide/volume/intersection.h"

namespace abut {

enum class NormalRule : std::uint8_t {
  closest_feature,
  minimum_translation,
  contact_plane,
  center_to_center,
  area_weighted,
  minmax_facet
};
inline constexpr std::array kNormalRules = {
    NormalRule::closest_feature,  NormalRule::minimum_translation, NormalRule::contact_plane,
    NormalRule::center_to_center, NormalRule::area_weighted,       NormalRule::minmax_facet};

const char* name(NormalRule rule);  // "closest-feature", ...

enum class Closeness : std::uint8_t { apart, kissing, overlapping };

// Classifies a signed distance (m): kissing means within kKissing of the pair's size L.
Closeness closeness(double distance, double L);

// The first three columns of the table above.
bool is_defined(NormalRule rule, Closeness closeness);

// All vectors are in A's frame.
struct NormalQuery {
  const Convex& A;
  const Convex& B;
  Transform X_AB;
  const Proximity* proximity = nullptr;
  const Intersection* common = nullptr;
  // The answer of the last step, if there was one. It keeps the side of a deep overlap (H-N2). It
  // also keeps the facet while no other facet is better by more than kNormalHysteresis L (D-N4).
  Vec3 previous = Vec3::Zero();
  Feature previous_a = {}, previous_b = {};
};

struct ContactNormal {
  Vec3 normal = Vec3::Zero();  // unit, from A to B
  bool defined = false;
  bool indeterminate = false;  // other normals are equally valid (K-9, K-12)
  Feature a, b;                // minmax_facet and contact_plane: the face with this normal
};

// Notes on single rules. center_to_center uses Convex::center, the middle of the solid, as its
// centre; for a half-space it returns the half-space's normal. area_weighted takes its sign from
// `previous`, or else from `proximity`, or else from eq. (1), which is wrong once the smaller solid
// is past the middle of the larger; for nested solids area_weighted is undefined. minmax_facet
// considers no edges, so that its depth may be larger than the minimum translation (D-E1); among
// facets of equal depth it takes the one nearest to the `proximity` normal, if that is given.
ContactNormal contact_normal(NormalRule rule, const NormalQuery& query);

}  // namespace abut
