// Articulated inertias (Featherstone 2008, ch. 7), about one point in world axes, with the dofs of a
// joint taken one by one. For articulated.cpp and mass_inverse.cpp.
#pragma once

#include "abut/model/derived.h"

namespace abut::articulated {

using Inertia = Derived::ArticulatedInertia;

inline const double* numbers(const Spatial& s) { return s.lin.data(); }
inline double* numbers(Spatial& s) { return s.lin.data(); }
static_assert(sizeof(Spatial) == 6 * sizeof(double), "lin and ang are six doubles in a row");

inline void expand(const SpatialInertia& I, Inertia& out) {
  double* a = out.a;
  const double x = I.mc.x(), y = I.mc.y(), z = I.mc.z();
  const double full[36] = {I.m, 0,   0,   0,    z,    -y,    //
                           0,   I.m, 0,   -z,   0,    x,     //
                           0,   0,   I.m, y,    -x,   0,     //
                           0,   -z,  y,   I.xx, I.xy, I.xz,  //
                           z,   0,   -x,  I.xy, I.yy, I.yz,  //
                           -y,  x,   0,   I.xz, I.yz, I.zz};
  for (int k = 0; k < 36; ++k) a[k] = full[k];
}

// Symmetric matrix times vector, summed by columns so that it vectorises.
inline Spatial times(const Inertia& I, const Spatial& s) {
  Spatial out;
  double* o = numbers(out);
  const double* v = numbers(s);
  for (int j = 0; j < 6; ++j)
    for (int i = 0; i < 6; ++i) o[i] += I.a[6 * j + i] * v[j];
  return out;
}

// I <- I - U U^T / D
inline void deflate(Inertia& I, const Spatial& U, double Dinv) {
  const double* u = numbers(U);
  for (int j = 0; j < 6; ++j) {
    const double s = u[j] * Dinv;
    for (int i = 0; i < 6; ++i) I.a[6 * j + i] -= s * u[i];
  }
}

// Lets a dof of axis S move: I becomes the inertia that is felt through it. `armature` and `extra` are
// what the dof has beside the links. Returns 1 / D of the dof; U = I S.
inline double release(const Spatial& S, double armature, double extra, Inertia& I, Spatial& U) {
  U = times(I, S);
  const double inverse = 1 / (dot(S, U) + armature + extra);
  deflate(I, U, inverse);
  return inverse;
}

}  // namespace abut::articulated
