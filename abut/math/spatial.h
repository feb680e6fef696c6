// Spatial vectors and inertias, linear part first: a twist is (v, omega), a wrench is (f, tau). All
// vectors of one tree are expressed in world axes about one common point, so that passing them from
// link to link needs no transformation.
#pragma once

#include "abut/math/types.h"

namespace abut {

struct Spatial {
  Vec3 lin = Vec3::Zero();
  Vec3 ang = Vec3::Zero();

  static Spatial zero() { return {}; }
  Spatial& operator+=(const Spatial& o) {
    lin += o.lin;
    ang += o.ang;
    return *this;
  }
  Spatial& operator-=(const Spatial& o) {
    lin -= o.lin;
    ang -= o.ang;
    return *this;
  }
  friend Spatial operator+(Spatial a, const Spatial& b) { return a += b; }
  friend Spatial operator-(Spatial a, const Spatial& b) { return a -= b; }
  friend Spatial operator*(const Spatial& a, double s) { return {a.lin * s, a.ang * s}; }
};

inline double dot(const Spatial& a, const Spatial& b) {
  return a.lin.dot(b.lin) + a.ang.dot(b.ang);
}

// Rate of a motion vector b that moves along with twist a.
inline Spatial cross_motion(const Spatial& a, const Spatial& b) {
  return {a.ang.cross(b.lin) + a.lin.cross(b.ang), a.ang.cross(b.ang)};
}

// Rate of a wrench f that moves along with twist a.
inline Spatial cross_force(const Spatial& a, const Spatial& f) {
  return {a.ang.cross(f.lin), a.ang.cross(f.ang) + a.lin.cross(f.lin)};
}

// The same twist at another point: to = from + d.
inline Spatial shift_twist(const Spatial& t, const Vec3& d) {
  return {t.lin + t.ang.cross(d), t.ang};
}

// The same wrench, about another point: to = from + d.
inline Spatial shift_wrench(const Spatial& w, const Vec3& d) {
  return {w.lin, w.ang - d.cross(w.lin)};
}

// Inertia of a rigid body about a point: mass, first moment, second moment.
struct SpatialInertia {
  double m = 0;
  Vec3 mc = Vec3::Zero();  // mass times the vector from the point to the centre of mass
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;  // about the point

  static SpatialInertia zero() { return {}; }

  // From a body of mass m whose centre of mass is at c and whose inertia about it is I.
  static SpatialInertia about(double m, const Vec3& c, const Mat3& I) {
    SpatialInertia s;
    s.m = m;
    s.mc = m * c;
    s.xx = I(0, 0) + m * (c.y() * c.y() + c.z() * c.z());
    s.yy = I(1, 1) + m * (c.x() * c.x() + c.z() * c.z());
    s.zz = I(2, 2) + m * (c.x() * c.x() + c.y() * c.y());
    s.xy = I(0, 1) - m * c.x() * c.y();
    s.xz = I(0, 2) - m * c.x() * c.z();
    s.yz = I(1, 2) - m * c.y() * c.z();
    return s;
  }

  SpatialInertia& operator+=(const SpatialInertia& o) {
    m += o.m;
    mc += o.mc;
    xx += o.xx;
    yy += o.yy;
    zz += o.zz;
    xy += o.xy;
    xz += o.xz;
    yz += o.yz;
    return *this;
  }

  Vec3 rotate(const Vec3& w) const {
    return {xx * w.x() + xy * w.y() + xz * w.z(), xy * w.x() + yy * w.y() + yz * w.z(),
            xz * w.x() + yz * w.y() + zz * w.z()};
  }

  // Momentum of the twist (or wrench of the acceleration) t.
  Spatial operator*(const Spatial& t) const {
    return {m * t.lin - mc.cross(t.ang), rotate(t.ang) + mc.cross(t.lin)};
  }
};

}  // namespace abut
