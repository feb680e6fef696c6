// InverseSlopes: exact derivatives of inverse dynamics, tau = M(q) a + bias(q, v), in the tangent space
// of q. Trees that are single free bodies are left out (gyroscope.h has theirs).
//
// Dof j moves what comes after it as one rigid body, with the twist S_j. In world axes about a point that
// stays, every quantity x of these links therefore changes by its own cross product with S_j
// (docs/derivations/step-derivatives.md):
//
//   dS_i = S_j x S_i              dV_l = S_j x (V_l - Vb_j)
//   d(I X) = S_j x* I X - I (S_j x X)
//   dA_l = S_j x (A_l - Ab_j) + (Vb_j x S_j) x (V_l - Vb_j)
//
// Vb_j and Ab_j are the twist and the acceleration before dof j; the three dofs of a ball have one.
//
//   InverseSlopes slopes(model);
//   slopes.find(d, v, a, gravity(model));     // slopes.by_q(), slopes.by_v()
#pragma once

#include <span>
#include <vector>

#include "abut/model/derived.h"

namespace abut {

class InverseSlopes {
 public:
  explicit InverseSlopes(const Model& model);

  // d has positions(). v, a: one entry a dof.
  void find(const Derived& d, std::span<const double> v, std::span<const double> a,
            const Vec3& gravity);

  // tau, and its derivatives: row i is the force on dof i.
  const VecX& tau() const { return tau_; }
  const MatX& by_q() const { return by_q_; }
  const MatX& by_v() const { return by_v_; }

  // The motion alone: twist() and twist_before().
  void find_motion(const Derived& d, std::span<const double> v, std::span<const double> a,
                   const Vec3& gravity);
  // Twist of a link, and of what is before a dof, about the tree's point, as `v` moves them.
  const Spatial& twist(int link) const { return V_[static_cast<std::size_t>(link)]; }
  const Spatial& twist_before(int dof) const { return Vb_[static_cast<std::size_t>(dof)]; }

 private:
  void find_forces(const Derived& d, std::span<const double> a);
  void differentiate(const Derived& d, int dof);
  void add_up(const Derived& d, int dof, MatX& out);

  const Model& model_;
  std::vector<Spatial> V_, A_, f_, F_, df_;  // one a link; F: of all that it carries
  std::vector<Spatial> Vb_, Ab_, Va_;        // one a dof: before it, after it
  VecX tau_;
  MatX by_q_, by_v_;
};

// The link after the last that moves with `link`: links are in depth-first order.
int end_of_subtree(const Model& model, int link);
// Whether dof j moves the axis of dof i; those of a ball turn with each other.
bool moves_axis(const Model& model, int j, int i);
// Whether dof j moves the body.
bool moves_body(const Model& model, int j, int body);

// Adds to `out` (one entry a dof) how the effect J' w of a wrench on a body changes as dof j moves by one:
// the wrench acts at p_W and stays as it is in world axes, while p_W moves by dp.
void add_wrench_slope(const Model& model, const Derived& d, int body, const Vec3& p_W,
                      const Spatial& wrench, int j, const Vec3& dp, double sign,
                      Eigen::Ref<VecX> out);

}  // namespace abut
