// The axes in which a query about two solids is computed: A's own frame, or the world's axes with
// the origin at A's origin. A query that looks at a few features only is cheaper in the world's
// axes. It rotates those features, and its answer needs no rotation. In A's frame it would have to
// compute X_AB first, and to rotate points and normal back.
//
// Solid 0 is A, solid 1 is B. point<1>(x) is a point of B in the common axes; local_point<1>(y) is
// a common point in B's frame.
//
//   abut::InWorldAxes axes(X_WA, X_WB);
//   abut::Vec3 top = axes.local_point<0>(axes.point<1>(vertex_of_B));  // in A's frame
#pragma once

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/math/transform.h"

namespace abut {

class InFrameOfA {
 public:
  explicit InFrameOfA(const Transform& X_AB) : X_AB_(X_AB) {}

  template <int solid>
  Vec3 point(const Vec3& x) const {
    if constexpr (solid == 0) return x;
    return X_AB_ * x;
  }
  template <int solid>
  Vec3 direction(const Vec3& n) const {
    if constexpr (solid == 0) return n;
    return X_AB_.R * n;
  }
  template <int solid>
  Vec3 local_point(const Vec3& x) const {
    if constexpr (solid == 0) return x;
    return X_AB_.R.transpose() * (x - X_AB_.p);
  }
  template <int solid>
  Vec3 local_direction(const Vec3& n) const {
    if constexpr (solid == 0) return n;
    return X_AB_.R.transpose() * n;
  }
  // From the origin of A to the origin of B.
  const Vec3& between() const { return X_AB_.p; }
  const Transform& X_AB() const { return X_AB_; }
  // Transforms an answer from A's frame to these axes.
  void turn(Proximity&) const {}

 private:
  const Transform& X_AB_;
};

class InWorldAxes {
 public:
  // Positions are subtracted first, so that no digits are lost far from the world's origin.
  InWorldAxes(const Transform& X_WA, const Transform& X_WB)
      : R_{&X_WA.R, &X_WB.R}, between_(X_WB.p - X_WA.p) {}

  template <int solid>
  Vec3 point(const Vec3& x) const {
    if constexpr (solid == 0) return *R_[0] * x;
    return between_ + *R_[1] * x;
  }
  template <int solid>
  Vec3 direction(const Vec3& n) const {
    return *R_[solid] * n;
  }
  template <int solid>
  Vec3 local_point(const Vec3& x) const {
    if constexpr (solid == 0) return R_[0]->transpose() * x;
    return R_[1]->transpose() * (x - between_);
  }
  template <int solid>
  Vec3 local_direction(const Vec3& n) const {
    return R_[solid]->transpose() * n;
  }
  const Vec3& between() const { return between_; }
  Transform X_AB() const { return {R_[0]->transpose() * *R_[1], R_[0]->transpose() * between_}; }
  void turn(Proximity& d) const {
    d.normal = *R_[0] * d.normal;
    d.p_A = *R_[0] * d.p_A;
    d.p_B = *R_[0] * d.p_B;
  }
  void turn_back(Proximity& d) const {
    d.normal = R_[0]->transpose() * d.normal;
    d.p_A = R_[0]->transpose() * d.p_A;
    d.p_B = R_[0]->transpose() * d.p_B;
  }

 private:
  const Mat3* R_[2];
  Vec3 between_;
};

}  // namespace abut
