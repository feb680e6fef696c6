#include "abut/simulate/derive/analytic.h"

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "abut/contact/combinations.h"
#include "abut/dynamics/bias.h"
#include "abut/dynamics/force_slopes.h"
#include "abut/dynamics/gyroscope.h"
#include "abut/dynamics/inverse_slopes.h"
#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/derive/step_modes.h"
#include "abut/simulate/derive/tolerances.h"

namespace abut {

namespace {

// How a contact changes with the coordinates, a column each: its normal and gap; the velocity of B's point
// less A's, and the effect J' P of its impulse, with u' and P held.
struct ContactColumns {
  Eigen::Matrix3Xd J, normal, velocity;
  Eigen::RowVectorXd gap;
  MatX force;
};

// The step that is differentiated, taken once; and columns of its derivatives: 2 nv + na of x, nu of the
// controls.
class StepEquations {
 public:
  StepEquations(Simulator& simulator, const State& state, const Input& input);

  std::string why_not() const { return why_not_; }
  void solve();
  void fill(StepDerivatives& out) const;

 private:
  void find_masses();
  void add_trees();
  void add_free_body(const Tree& tree);
  void add_side(const HeldContact& c, int body, double sign, int j, const ContactRate& rate,
                ContactColumns& out) const;
  ContactColumns columns_of(const HeldContact& c) const;
  Eigen::RowVectorXd parting(const HeldContact& c, const ContactColumns& by) const;
  void add_held();
  void hold_point(const HeldContact& c, const ContactColumns& by, int row);
  void hold_normal(const HeldContact& c, const ContactColumns& by, int row);
  void close_rows();
  void mark_touching();
  void move_joint(const Joint& joint, MatX& dq) const;
  void move_free_body(const Tree& tree, MatX& dq, MatX& dv) const;
  RigidRate rate_of(int body, int dof) const;
  std::string same_end(const State& end) const;
  bool is_free(int dof) const {
    return model_.trees[at(model_.links[at(model_.dofs[at(dof)].link)].tree)].free_body;
  }

  Simulator& simulator_;
  const Model& model_;
  const State& start_;
  const Input& input_;
  const double h_;
  int nv_, columns_;
  State end_;
  Derived d_;
  VecX a_, change_, u_;  // without constraints; what these add, and the end: solver coordinates
  ForceSlopes forces_;
  InverseSlopes free_, held_;  // of accelerations without constraints, of what these add
  std::optional<StepModes> modes_;
  MatX mass_, inverse_;  // of u, with the implicit damping; block by block
  MatX du_;              // nv x columns: of u', contacts' impulses held; then of u'
  // E du = F of the held rows; du = (1 + slip_)^-1 (du_ + push_ lambda)
  MatX rows_, wanted_, push_, slip_;
  std::vector<std::string> column_;  // why a column has no derivative
  std::string why_not_;
};

StepEquations::StepEquations(Simulator& simulator, const State& state, const Input& input)
    : simulator_(simulator),
      model_(simulator.model()),
      start_(state),
      input_(input),
      h_(model_.option.timestep),
      nv_(model_.nv),
      columns_(2 * nv_ + model_.na + model_.nu()),
      end_(state),
      forces_(model_),
      free_(model_),
      held_(model_),
      column_(at(columns_)) {
  simulator.step(end_, input);
  d_ = simulator.derived();
  const std::span<const double> a = d_.acceleration, change = simulator.contact().change();
  a_ = Eigen::Map<const VecX>(a.data(), nv_);
  change_ = VecX::Zero(nv_);
  const std::vector<double>& u = simulator.free_velocities();
  u_ = Eigen::Map<const VecX>(u.data(), nv_);
  if (simulator.is_constrained())
    for (int i = 0; i < nv_; ++i) change_[i] = change[at(i)];
  else
    simulator.stepper().end_velocities(h_, state, d_, {u_.data(), at(nv_)});
  u_ += change_;
  why_not_ = forces_.why_not(state, input, d_);
  if (why_not_.empty()) why_not_ = same_end(end_);
  if (!why_not_.empty()) return;
  modes_.emplace(simulator, state, u_);
  why_not_ = modes_->why_not();
}

// The equations know one solve: whether it led to the velocities that the step has at its end.
std::string StepEquations::same_end(const State& end) const {
  if (simulator_.contact().post().steps > 0)
    return "overlap, or an error of a joint, was removed after the move";
  const double least = kSameEnd * (1 + u_.cwiseAbs().maxCoeff());
  for (int i = 0; i < nv_; ++i)
    if (!is_free(i) && std::abs(end.v[at(i)] - u_[i]) > least)
      return "several substeps, or impacts in the step";
  for (const Tree& tree : model_.trees) {
    if (!tree.free_body) continue;
    const Link& link = model_.links[at(tree.link_begin)];
    const Joint& joint = model_.joints[at(model_.dofs[at(tree.dof_begin)].joint)];
    const double* v = &end.v[at(tree.dof_begin)];
    const double* q = &end.q[at(joint.q)];
    const Vec3 of_com = Vec3(v[0], v[1], v[2]) +
                        Quat(q[3], q[4], q[5], q[6]) * Vec3(v[3], v[4], v[5]).cross(link.mass.com);
    if ((of_com - u_.segment<3>(tree.dof_begin)).cwiseAbs().maxCoeff() > least)
      return "several substeps, or impacts in the step";
  }
  return {};
}

void StepEquations::find_masses() {
  mass_matrix(model_, d_);
  mass_ = dense_mass_matrix(model_, d_);
  for (int i = 0; i < nv_; ++i) mass_(i, i) += simulator_.stepper().implicit_damping()[at(i)];
  for (const Tree& tree : model_.trees) {
    if (!tree.free_body) continue;
    const Link& link = model_.links[at(tree.link_begin)];
    const Mat3& R = d_.body_rotation[at(link.body)];
    const int i = tree.dof_begin;
    mass_.block<6, 6>(i, i).setZero();
    mass_.block<3, 3>(i, i) = link.mass.mass * Mat3::Identity();
    mass_.block<3, 3>(i + 3, i + 3) = R * link.mass.inertia * R.transpose();
  }
  inverse_ = mass_.inverse();
}

// (M + h C) a + bias(q, v) = tau,  (M + h C) y = J' P,  u' = v + h a + y
void StepEquations::add_trees() {
  const bool mean = simulator_.stepper().takes_mean_velocities();
  const bool damped = model_.option.damper_on &&
                      (simulator_.integrator() == Integrator::implicit ||
                       (simulator_.integrator() == Integrator::euler && model_.option.euler_damp));
  std::vector<double> v = start_.v, none(at(nv_), 0.0);
  if (mean)
    for (int i = 0; i < nv_; ++i) v[at(i)] += 0.5 * h_ * a_[i];
  free_.find(d_, v, {a_.data(), at(nv_)}, gravity(model_));
  held_.find(d_, none, {change_.data(), at(nv_)}, Vec3::Zero());

  MatX system = mass_, right(nv_, columns_);
  if (mean) system += 0.5 * h_ * free_.by_v();
  right << forces_.by_q - free_.by_q(), forces_.by_v - free_.by_v(), forces_.by_act,
      forces_.by_ctrl;
  MatX added = MatX::Zero(nv_, columns_);
  added.leftCols(nv_) = -held_.by_q();
  if (damped) {
    const VecX rate = h_ * forces_.damping_by_v;
    right.middleCols(nv_, nv_).diagonal() -= rate.cwiseProduct(a_);
    added.middleCols(nv_, nv_).diagonal() -= rate.cwiseProduct(change_);
  }
  du_ = h_ * system.partialPivLu().solve(right) + inverse_ * added;
  du_.middleCols(nv_, nv_) += MatX::Identity(nv_, nv_);
  for (const Tree& tree : model_.trees)
    if (tree.free_body) add_free_body(tree);
}

// u_free = (v_C + h (f / m + g), R (omega + h I^-1 (tau - c x R' f))), and what impulses at fixed arms add.
void StepEquations::add_free_body(const Tree& tree) {
  const Link& link = model_.links[at(tree.link_begin)];
  const int i = tree.dof_begin;
  const Vec3& c = link.mass.com;
  const Mat3& R = d_.body_rotation[at(link.body)];
  const Mat3& inverse = link.inverse_inertia;
  const Vec3 omega(start_.v[at(i + 3)], start_.v[at(i + 4)], start_.v[at(i + 5)]);
  const Vec3 f(d_.tau[at(i)], d_.tau[at(i + 1)], d_.tau[at(i + 2)]);
  const Vec3 tau(d_.tau[at(i + 3)], d_.tau[at(i + 4)], d_.tau[at(i + 5)]);
  const Vec3 f_B = R.transpose() * f;
  const Vec3 turn = omega + h_ * inverse * (tau - c.cross(f_B));   // body axes
  const Vec3 impulse = R.transpose() * change_.segment<3>(i + 3);  // its change by impulses
  auto dv = du_.middleRows<3>(i);
  auto dw = du_.middleRows<3>(i + 3);

  // forces: by their own slopes
  MatX force(6, columns_);
  force << forces_.by_q.middleRows<6>(i), forces_.by_v.middleRows<6>(i),
      forces_.by_act.middleRows<6>(i), forces_.by_ctrl.middleRows<6>(i);
  dv = h_ / link.mass.mass * force.topRows<3>();
  dw = h_ * R * inverse * (force.bottomRows<3>() - skew(c) * R.transpose() * force.topRows<3>());
  // velocities
  dv.middleCols<3>(nv_ + i) += Mat3::Identity();
  dv.middleCols<3>(nv_ + i + 3) -= R * skew(c);
  dw.middleCols<3>(nv_ + i + 3) += R;
  // the rotation, in body axes: everything of the body turns with it, and f and the impulses do not
  dv.middleCols<3>(i + 3) -= R * skew(omega.cross(c));
  dw.middleCols<3>(i + 3) += R * (-skew(turn) - h_ * inverse * skew(c) * skew(f_B) - skew(impulse) +
                                  inverse * skew(link.mass.inertia * impulse));
}

RigidRate StepEquations::rate_of(int body, int dof) const {
  if (!moves_body(model_, dof, body)) return {};
  const int tree = model_.links[at(model_.bodies[at(body)].link)].tree;
  return {dof_motion(model_, d_, dof), d_.tree_point[at(tree)]};
}

// What a body adds to how a contact changes with dof j: the effect of its impulse on the dofs, whose point
// moves by rate.position, and the velocity of the body's point with u' held.
void StepEquations::add_side(const HeldContact& c, int body, double sign, int j,
                             const ContactRate& rate, ContactColumns& out) const {
  const int link = model_.bodies[at(body)].link;
  if (link < 0) return;
  const Link& l = model_.links[at(link)];
  if (model_.trees[at(l.tree)].free_body) {
    const Vec3 com = d_.body_pose[at(l.body)] * l.mass.com;
    const Vec3 arm = rate.position - rate_of(body, j).velocity(com);
    out.force.col(j).segment<3>(l.dof_begin + 3) += sign * arm.cross(c.impulse);
    out.velocity.col(j) += sign * u_.segment<3>(l.dof_begin + 3).cross(arm);
    return;
  }
  add_wrench_slope(model_, d_, body, c.position, {c.impulse, Vec3::Zero()}, j, rate.position, sign,
                   out.force.col(j));
  const Spatial& V = held_.twist(link);
  out.velocity.col(j) += sign * V.ang.cross(rate.position);
  if (!moves_body(model_, j, body)) return;
  const Spatial dV = cross_motion(d_.S[at(j)], V - held_.twist_before(j));
  out.velocity.col(j) += sign * shift_twist(dV, c.position - d_.tree_point[at(l.tree)]).lin;
}

ContactColumns StepEquations::columns_of(const HeldContact& c) const {
  ContactColumns out;
  out.J = relative_jacobian(model_, d_, c.body_a, c.body_b, c.position);
  out.normal.setZero(3, nv_), out.velocity.setZero(3, nv_);
  out.gap.setZero(nv_), out.force.setZero(nv_, nv_);
  for (int j = 0; j < nv_; ++j) {
    if (!moves_body(model_, j, c.body_a) && !moves_body(model_, j, c.body_b)) continue;
    const ContactRate rate = c.feature.rate(rate_of(c.body_a, j), rate_of(c.body_b, j));
    out.normal.col(j) = rate.normal, out.gap[j] = rate.psi;
    add_side(c, c.body_b, 1, j, rate, out);
    add_side(c, c.body_a, -1, j, rate, out);
  }
  return out;
}

// How the parting n . v + b of a contact changes with the coordinates, u' held.
Eigen::RowVectorXd StepEquations::parting(const HeldContact& c, const ContactColumns& by) const {
  return c.normal.transpose() * by.velocity + c.velocity.transpose() * by.normal +
         c.b_by_psi * by.gap;
}

// Rows of what is held, what its impulses do, and what changes as points and axes move.
void StepEquations::add_held() {
  int count = static_cast<int>(modes_->joints().size());
  for (const HeldContact& c : modes_->contacts()) count += c.mode == ContactMode::sticks ? 3 : 1;
  rows_.setZero(count, nv_), wanted_.setZero(count, columns_), push_.setZero(nv_, count);
  slip_ = MatX::Identity(nv_, nv_);
  held_.find_motion(d_, {u_.data(), at(nv_)}, {u_.data(), at(nv_)}, Vec3::Zero());
  int row = 0;
  for (const HeldContact& c : modes_->contacts()) {
    const ContactColumns by = columns_of(c);
    du_.leftCols(nv_) += inverse_ * by.force;
    for (int j = 0; j < nv_; ++j)
      if (c.closed && std::abs(by.gap[j]) > kSameCorner)
        column_[at(j)] = c.pair + ": the gap is zero, and opens or overlaps";
    if (c.mode == ContactMode::sticks) {
      hold_point(c, by, row);
      row += 3;
    } else {
      hold_normal(c, by, row++);
    }
  }
  for (const HeldJoint& joint : modes_->joints()) {
    rows_.row(row) = joint.j.transpose();
    wanted_.row(row).leftCols(nv_) = -joint.b_by_gap * joint.j.transpose();
    push_.col(row++) = inverse_ * joint.j;
    for (int j = 0; j < nv_; ++j)
      if (joint.closed && joint.j[j] != 0)
        column_[at(j)] = "a joint is at its limit, and may leave or pass it";
  }
}

// v = -b n
void StepEquations::hold_point(const HeldContact& c, const ContactColumns& by, int row) {
  rows_.middleRows<3>(row) = by.J;
  wanted_.block(row, 0, 3, nv_) = -(by.velocity + c.b_by_psi * c.normal * by.gap + c.b * by.normal);
  push_.middleCols<3>(row) = inverse_ * by.J.transpose();
}

// n . v = -b, and P = p n or P = p (n - mu s), s = v_t / |v_t|
void StepEquations::hold_normal(const HeldContact& c, const ContactColumns& by, int row) {
  const Vec3& n = c.normal;
  const double p = c.impulse.dot(n), mu = c.friction, normal_speed = n.dot(c.velocity);
  rows_.row(row) = n.transpose() * by.J;
  wanted_.row(row).leftCols(nv_) = -parting(c, by);
  const MatX push = inverse_ * by.J.transpose();
  push_.col(row) = push * n;
  du_.leftCols(nv_) += p * push * by.normal;
  if (c.mode == ContactMode::pushes) return;
  const Vec3 v_t = c.velocity - n * normal_speed, s = v_t.normalized();
  const Mat3 turn = (Mat3::Identity() - s * s.transpose()) / v_t.norm();
  const Mat3 in_plane = Mat3::Identity() - n * n.transpose();
  const Eigen::Matrix3Xd slip =
      in_plane * by.velocity - normal_speed * by.normal - n * (c.velocity.transpose() * by.normal);
  push_.col(row) -= mu * push * s;
  du_.leftCols(nv_) -= mu * p * push * turn * slip;
  slip_ += mu * p * push * turn * in_plane * by.J;
}

// Contacts and limits that touch and do not press: whatever makes them part or press has two sides.
void StepEquations::mark_touching() {
  const auto mark = [&](const MatX& change, const std::string& why) {
    const double least = kModeBorder * (1 + change.cwiseAbs().maxCoeff());
    for (int j = 0; j < columns_; ++j)
      if (std::abs(change(0, j)) > least) column_[at(j)] = why;
  };
  for (const HeldContact& c : modes_->touching()) {
    const ContactColumns by = columns_of(c);
    MatX change = c.normal.transpose() * by.J * du_;
    change.leftCols(nv_) += parting(c, by);
    mark(change, c.pair + ": touches, and does not press");
  }
  for (const HeldJoint& joint : modes_->touching_limits()) {
    MatX change = joint.j.transpose() * du_;
    change.leftCols(nv_) += joint.b_by_gap * joint.j.transpose();
    mark(change, "a limit of a joint is reached, and does not press");
  }
}

// du = (1 + slip)^-1 (du_ + push lambda) with E du = F.
void StepEquations::close_rows() {
  const Eigen::PartialPivLU<MatX> slip(slip_);
  du_ = slip.solve(du_);
  if (rows_.rows() == 0) return;
  const MatX push = slip.solve(push_);
  const MatX S = rows_ * push, missing = wanted_ - rows_ * du_;
  Eigen::CompleteOrthogonalDecomposition<MatX> inverse;
  inverse.setThreshold(kRedundantRow);
  inverse.compute(S);
  const MatX lambda = inverse.solve(missing);
  du_ += push * lambda;
  const MatX left = S * lambda - missing;
  for (int c = 0; c < columns_; ++c)
    if (left.col(c).cwiseAbs().maxCoeff() >
        kModeBorder * (1 + missing.col(c).cwiseAbs().maxCoeff()))
      column_[at(c)] = "contacts that hold cannot all go on to hold";
}

void StepEquations::solve() {
  forces_.find(start_, input_, d_);
  find_masses();
  add_trees();
  add_held();
  close_rows();
  mark_touching();
}

void StepEquations::move_joint(const Joint& joint, MatX& dq) const {
  const int i = joint.dof;
  const int plain = joint.type == JointType::ball ? 0 : joint.type == JointType::free ? 3 : 1;
  for (int k = i; k < i + plain; ++k) {
    dq.row(k) = h_ * du_.row(k);
    dq(k, k) += 1;
  }
  if (joint.type != JointType::ball && joint.type != JointType::free) return;
  const int r = i + plain;
  const Vec3 turn = h_ * Vec3(end_.v[at(r)], end_.v[at(r + 1)], end_.v[at(r + 2)]);
  dq.middleRows<3>(r) = h_ * exp_rotation_slope(turn) * du_.middleRows<3>(r);
  dq.block<3, 3>(r, r) += exp_rotation(-turn).toRotationMatrix();
}

// From u' to where free_rotation() takes the body, and the velocity of its origin.
void StepEquations::move_free_body(const Tree& tree, MatX& dq, MatX& dv) const {
  const Link& link = model_.links[at(tree.link_begin)];
  const int i = tree.dof_begin;
  const Joint& joint = model_.joints[at(model_.dofs[at(i)].joint)];
  const Vec3& c = link.mass.com;
  const Mat3& R = d_.body_rotation[at(link.body)];
  const double* q = &end_.q[at(joint.q)];
  const Mat3 R_end = Quat(q[3], q[4], q[5], q[6]).toRotationMatrix();
  const Vec3 omega_end(end_.v[at(i + 3)], end_.v[at(i + 4)], end_.v[at(i + 5)]);
  const Vec3 start = R.transpose() * u_.segment<3>(i + 3);
  const SpinSlopes spin = free_rotation_slopes(link.mass.inertia, start, h_);

  MatX dstart = R.transpose() * du_.middleRows<3>(i + 3);
  dstart.middleCols<3>(i + 3) += skew(start);
  MatX dturn = spin.turned * dstart;
  dturn.middleCols<3>(i + 3) += R_end.transpose() * R;
  const MatX domega = spin.omega * dstart, dcom = du_.middleRows<3>(i);
  dq.middleRows<3>(i + 3) = dturn;
  dv.middleRows<3>(i + 3) = domega;
  dv.middleRows<3>(i) = dcom + R_end * skew(omega_end.cross(c)) * dturn + R_end * skew(c) * domega;
  MatX at_end = h_ * dcom + R_end * skew(c) * dturn;
  at_end.middleCols<3>(i) += Mat3::Identity();
  at_end.middleCols<3>(i + 3) -= R * skew(c);
  dq.middleRows<3>(i) = at_end;
}

void StepEquations::fill(StepDerivatives& out) const {
  const int na = model_.na, nx = 2 * nv_ + na;
  MatX dq = MatX::Zero(nv_, columns_), dv = du_;
  for (const Joint& joint : model_.joints)
    if (!is_free(joint.dof)) move_joint(joint, dq);
  for (const Tree& tree : model_.trees)
    if (tree.free_body) move_free_body(tree, dq, dv);
  MatX all(nx, columns_);
  all << dq, dv, MatX::Zero(na, 2 * nv_), forces_.act_by_act, forces_.act_by_ctrl;
  out.A = all.leftCols(nx), out.B = all.rightCols(model_.nu());
  out.why_not = column_;
  out.analytic = true;
  if (!modes_->border().empty())
    std::fill(out.why_not.begin(), out.why_not.end(), modes_->border());
}

bool has_loops(const Model& model) {
  if (!model.option.constraint_on || !model.option.equality_on) return false;
  return std::any_of(model.equalities.begin(), model.equalities.end(),
                     [](const Equality& e) { return e.active; });
}

bool limits_balls(const Model& model) {
  return model.option.limit_on &&
         std::any_of(model.joints.begin(), model.joints.end(),
                     [](const Joint& j) { return j.limited && j.type == JointType::ball; });
}

StepDerivatives none_of(const Model& model, const std::string& why) {
  const int nx = 2 * model.nv + model.na, nu = model.nu();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  return {MatX::Constant(nx, nx, nan), MatX::Constant(nx, nu, nan),
          std::vector<std::string>(at(nx + nu), why), false};
}

// Whether fast left contacts of the last step to its sweeps, or at rest.
bool took_short_cuts(const Simulator& simulator) {
  const std::vector<Patch>& patches = simulator.contact().data().patches;
  return std::any_of(patches.begin(), patches.end(), [&](const Patch& patch) {
    return simulator.contact().contact().keeps_apart(patch);
  });
}

// fast has st's equations.
ContactSettings as_st(ContactSettings settings) {
  set_contact(settings, "st");
  return settings;
}

StepDerivatives differentiate(Simulator& simulator, const State& state, const Input& input) {
  StepEquations step(simulator, state, input);
  if (const std::string why = step.why_not(); !why.empty()) return none_of(simulator.model(), why);
  step.solve();
  StepDerivatives out;
  step.fill(out);
  return out;
}

}  // namespace

std::string why_not_analytic(const Simulator& simulator) {
  const Model& model = simulator.model();
  const ContactSettings& s = simulator.contact().settings();
  const Integrator integrator = simulator.integrator();
  if (integrator != Integrator::euler && integrator != Integrator::implicit)
    return "integrator " + std::string(integrator_name(integrator)) + ": use euler or implicit";
  const bool contacts = simulator.contact().contacts_on();
  if (contacts && s.model != "st" && s.model != "ap" && s.model != "fast" && s.model != "none")
    return "contact " + s.model + " has memory, or equations of its own; use st or ap";
  if (contacts && friction_of(s) == FrictionKind::pyramid) return "friction pyramid; use cone";
  if (contacts && data_of(s) != ContactSource::manifold && data_of(s) != ContactSource::patch &&
      s.model != "none")
    return "data " + std::string(name(data_of(s))) + "; use manifold or patch";
  if (has_loops(model)) return "joints that close loops (equality)";
  if (limits_balls(model)) return "the limit of a ball joint";
  return ForceSlopes(model).why_not();
}

StepDerivatives analytic_derivatives(Simulator& simulator, const State& state, const Input& input) {
  const Model& model = simulator.model();
  const std::string why = model.nv == 0 ? "nothing moves" : why_not_analytic(simulator);
  if (!why.empty()) return none_of(model, why);
  StepDerivatives out = differentiate(simulator, state, input);
  const bool is_fast = simulator.contact().settings().model == "fast";
  if (!is_fast || (out.analytic && !took_short_cuts(simulator))) return out;
  Simulator plain(model, as_st(simulator.contact().settings()));
  return differentiate(plain, state, input);
}

}  // namespace abut
