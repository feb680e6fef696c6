// A rigid body on a free joint, in closed form, offset centre of mass included.
//
// With q = (p, R), v = (p', omega in body axes), centre of mass c in body axes and Ic
// about it, the kinetic energy 1/2 m |p' + R (omega x c)|^2 + 1/2 omega . Ic omega gives
//
//   M = [ m 1          -m R [c]x          ]
//       [ m [c]x R^T    Ic - m [c]x [c]x  ]
//
// and M^-1 follows from Newton's law at the centre of mass, without a factorisation.
#pragma once

#include "abut/model/derived.h"

namespace abut::free_body {

// The six rows of M, lower triangle with diagonal (21 numbers, Model::M_row layout).
void mass_rows(const Link& link, const Mat3& R, double* rows);

// M v' + bias = force at v' = 0: centrifugal, gyroscopic and gravity terms.
void bias(const Link& link, const Mat3& R, const Vec3& gravity, const double* v, double* out);

// x <- M^-1 x for one body's six entries.
void solve(const Link& link, const Mat3& R, double* x);

}  // namespace abut::free_body
