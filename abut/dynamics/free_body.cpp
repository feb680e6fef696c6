#include "abut/dynamics/free_body.h"

#include "abut/math/rotation.h"

namespace abut::free_body {

void mass_rows(const Link& link, const Mat3& R, double* rows) {
  const double m = link.mass.mass;
  const Vec3& c = link.mass.com;
  const Mat3 mc = m * skew(c);
  const Mat3 lower = mc * R.transpose();  // rows 3..5, columns 0..2
  const Mat3 Io = link.mass.inertia - mc * skew(c);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) *rows++ = i == j ? m : 0.0;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) *rows++ = lower(i, j);
    for (int j = 0; j <= i; ++j) *rows++ = Io(i, j);
  }
}

void bias(const Link& link, const Mat3& R, const Vec3& gravity, const double* v, double* out) {
  const double m = link.mass.mass;
  const Vec3& c = link.mass.com;
  const Vec3 w(v[3], v[4], v[5]);
  // acceleration of the centre of mass at v' = 0, less gravity, in body axes
  const Vec3 a = w.cross(w.cross(c)) - R.transpose() * gravity;
  const Vec3 f = R * (m * a);
  const Vec3 tau = w.cross(link.mass.inertia * w) + c.cross(m * a);
  for (int k = 0; k < 3; ++k) {
    out[k] = f[k];
    out[3 + k] = tau[k];
  }
}

void solve(const Link& link, const Mat3& R, double* x) {
  const Vec3& c = link.mass.com;
  const Vec3 f = R.transpose() * Vec3(x[0], x[1], x[2]);
  const Vec3 tau(x[3], x[4], x[5]);
  const Vec3 alpha = link.inverse_inertia * (tau - c.cross(f));
  const Vec3 a = R * (f / link.mass.mass - alpha.cross(c));
  for (int k = 0; k < 3; ++k) {
    x[k] = a[k];
    x[3 + k] = alpha[k];
  }
}

}  // namespace abut::free_body
