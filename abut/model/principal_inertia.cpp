#include "abut/model/principal_inertia.h"

#include <cmath>
#include <utility>

namespace abut {
namespace {

constexpr double kNegligible = 1e-12;

Quat about_axis(int axis, double cosine, double sine) {
  Vec3 v = Vec3::Zero();
  v[axis] = sine;
  return Quat(cosine, v.x(), v.y(), v.z()).normalized();
}

// The entry above the diagonal that is largest; later ones win ties. (row, column)
std::pair<int, int> largest_off_diagonal(const Mat3& D) {
  const double xy = std::abs(D(0, 1)), xz = std::abs(D(0, 2)), yz = std::abs(D(1, 2));
  if (xy > xz && xy > yz) return {0, 1};
  return xz > yz ? std::pair{0, 2} : std::pair{1, 2};
}

}  // namespace

PrincipalInertia principal_inertia(const MassProperties& properties) {
  Quat q = Quat::Identity();
  Mat3 D = properties.inertia;
  const auto turn = [&](const Quat& by) {
    q = (q * by).normalized();
    const Mat3 R = q.toRotationMatrix();
    D = R.transpose() * properties.inertia * R;
  };

  // Jacobi: turn the largest off-diagonal entry away until there is none
  for (int sweep = 0; sweep < 500; ++sweep) {
    const auto [i, j] = largest_off_diagonal(D);
    if (std::abs(D(i, j)) < kNegligible) break;
    // the smaller of the two angles with cot(2 angle) = tau
    const double tau = (D(j, j) - D(i, i)) / (2 * D(i, j));
    const double tangent = 1 / (std::abs(tau) + std::hypot(1.0, tau));
    const double cosine = 1 / std::hypot(1.0, tangent);
    if (cosine > 1 - kNegligible) break;
    const int axis = 3 - i - j;
    // a positive turn about y takes z to x, against the order of (i, j)
    const double direction = (axis == 1) == (tau >= 0) ? 1 : -1;
    const double half_sine = direction * std::sqrt(0.5 - 0.5 * cosine);
    turn(about_axis(axis, std::sqrt(1 - half_sine * half_sine), half_sine));
  }

  // largest first: a quarter turn exchanges two neighbours
  Vec3 moments = D.diagonal();
  for (const int first : {0, 1, 0}) {
    if (moments[first] + kNegligible >= moments[first + 1]) continue;
    std::swap(moments[first], moments[first + 1]);
    q = (q * about_axis((first + 2) % 3, 1, 1)).normalized();
  }
  return {properties.mass, {properties.com, q}, moments};
}

MassProperties to_mass_properties(const PrincipalInertia& inertia) {
  const Mat3 R = inertia.pose.q.toRotationMatrix();
  return {inertia.mass, inertia.pose.p, R * inertia.diagonal.asDiagonal() * R.transpose()};
}

}  // namespace abut
