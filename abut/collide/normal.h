// Contact normals by the papers' different rules, always from A to B (Cheng Yi and Drumwright,
// III-B, IV-D; Hasegawa and Fujii, eq. 1; Drumwright, eq. 4; K-8, K-12, H-5, D-9).
//
//   rule                 apart  kissing  overlapping  needs
//   closest_feature      yes    yes      no           proximity
//   minimum_translation  no     yes      yes          proximity
//   contact_plane        yes    yes      yes          proximity: moved along its normal to touch
//   center_to_center     yes    yes      yes          -
//   area_weighted        no     no       yes          common
//   minmax_facet         no     no       yes          common
//
// Where a rule says nothing, `defined` is false and the normal is zero: a caller then
// takes another rule, knowingly. The paper's necessary condition, that moving apart along
// the normal parts the two (K-8 a), holds of the first three everywhere, of the others not:
// docs/contact.md says where.
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

// By the signed distance, to kKissing of the pair's size L.
Closeness closeness(double distance, double L);

// The table above.
bool is_defined(NormalRule rule, Closeness closeness);

// All in A's frame.
struct NormalQuery {
  const Convex& A;
  const Convex& B;
  Transform X_AB;
  const Proximity* proximity = nullptr;
  const Intersection* common = nullptr;
  // Last step's answer, if there was one: keeps the side of a deep overlap (H-N2), and the
  // facet while another is no better than by kNormalHysteresis L (D-N4).
  Vec3 previous = Vec3::Zero();
  Feature previous_a = {}, previous_b = {};
};

constexpr double kNormalHysteresis = 1e-6;

struct ContactNormal {
  Vec3 normal = Vec3::Zero();  // unit, from A to B
  bool defined = false;
  bool indeterminate = false;  // others would do as well (K-9, K-12)
  Feature a, b;                // minmax_facet and contact_plane: the face it is the normal of
};

// center_to_center takes Convex::center, the middle of the solid, for its centre; a
// half-space has its own normal. area_weighted takes its sign from `previous`, else from
// `proximity`, else as eq. (1) has it, which is wrong once the smaller solid is past the
// middle; of nested solids it is not defined. minmax_facet knows no edges, so what it
// finds may be deeper than the minimum translation (D-E1); of facets that are equally deep
// it takes the one nearest to the `proximity` normal, if that is given.
ContactNormal contact_normal(NormalRule rule, const NormalQuery& query);

}  // namespace abut
