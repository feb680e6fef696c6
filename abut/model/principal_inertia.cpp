#include "abut/model/principal_inertia.h"

#include <cmath>
#include <utility>

#include "abut/model/tolerances.h"

namespace abut {
namespace {

// Differences that the search for the axes ignores.
struct Negligible {
  double entry;    // off the diagonal
  double moments;  // closer ones are equal, and keep their order
};

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

PrincipalInertia diagonalised(const MassProperties& properties, const Negligible& negligible) {
  Quat q = Quat::Identity();
  Mat3 D = properties.inertia;
  const auto turn = [&](const Quat& by) {
    q = (q * by).normalized();
    const Mat3 R = q.toRotationMatrix();
    D = R.transpose() * properties.inertia * R;
  };

  // Jacobi's method: eliminate the largest off-diagonal entry by a rotation until none is left
  for (int turns = 0; turns < 50; ++turns) {
    const auto [i, j] = largest_off_diagonal(D);
    if (std::abs(D(i, j)) <= negligible.entry) break;
    // the smaller of the two angles with cot(2 angle) = tau
    const double tau = (D(j, j) - D(i, i)) / (2 * D(i, j));
    const double angle = std::atan(1 / (std::abs(tau) + std::hypot(1.0, tau)));
    const int axis = 3 - i - j;
    // a positive turn about y takes z to x, against the order of (i, j)
    const double direction = (axis == 1) == (tau >= 0) ? 1 : -1;
    turn(about_axis(axis, std::cos(0.5 * angle), direction * std::sin(0.5 * angle)));
  }

  // largest first: a quarter turn exchanges two neighbours
  Vec3 moments = D.diagonal();
  for (const int first : {0, 1, 0}) {
    if (moments[first] + negligible.moments >= moments[first + 1]) continue;
    std::swap(moments[first], moments[first + 1]);
    q = (q * about_axis((first + 2) % 3, 1, 1)).normalized();
  }
  return {properties.mass, {properties.com, q}, moments};
}

}  // namespace

PrincipalInertia principal_inertia(const MassProperties& properties) {
  const double largest = properties.inertia.diagonal().maxCoeff();
  return diagonalised(properties, {kOffDiagonal * largest, kEqualMoments * largest});
}

PrincipalInertia principal_inertia_of_mesh(const MassProperties& unit_density) {
  const double largest = unit_density.inertia.diagonal().maxCoeff();
  return diagonalised(unit_density, {kMeshMoments * largest, kMeshMoments * largest});
}

MassProperties to_mass_properties(const PrincipalInertia& inertia) {
  const Mat3 R = inertia.pose.q.toRotationMatrix();
  return {inertia.mass, inertia.pose.p, R * inertia.diagonal.asDiagonal() * R.transpose()};
}

}  // namespace abut
