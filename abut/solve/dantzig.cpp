#include "abut/solve/dantzig.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/active_factor.h"
#include "abut/solve/row_states.h"
#include "abut/solve/small_tableau.h"

namespace abut {

namespace {

// Of w, next to the terms that it is the sum of: below is rounding.
constexpr double kNoise = 1e-13;
constexpr int kMostBounds = 200;  // rounds over the bounds by other rows
constexpr int kNewtonBounds = 5;  // of these, bounds from the coupled system
constexpr double kAstray = 1e3;   // times the least distance: rounds that diverge
constexpr double kStill = 1e-12;  // of a step, next to that of the driven row
constexpr double kTie = 1e-12;
constexpr double kNull = 1e-7;  // of A d, next to its terms; the root of a Schur complement's noise
constexpr double kZero = 10;    // times the noise: a w that has arrived at 0
constexpr double kRounding = 1e-15;  // of a Schur complement, next to what it is the rest of
constexpr double kRough = 0.1;       // of the noise: of w inside
constexpr int kMostPolish = 8;
constexpr int kMostStarts = 20, kFewWrong = 4;

class Dantzig final : public Solver {
 public:
  const SolverInfo& info() const override { return dantzig_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override;

 private:
  enum class Outcome { done, unbounded, not_semidefinite, too_many };

  void resize(int n);
  Outcome solve_box();
  void settle();
  void start();
  int count_wrong() const;
  void refactor();
  void place_inside();
  void find_w();
  void step_inside();
  void follow_step();
  bool polish();
  Outcome drive(int i);
  bool is_null(int i, double move, double size);
  int worst_row();
  Outcome solve_followed_bounds(const Problem& p, Answer& answer);
  bool fits(const Problem& p, const VectorX& z);
  static double step_of_round(int round);

  bool is_free(int i) const { return lo_[i] == -kInfinity && hi_[i] == kInfinity; }
  bool is_wrong(int i) const { return sign_[i] * w_[i] < -noise_[i]; }
  void put_at_bound(int i, RowState s) {
    const bool at_lo = s == RowState::at_lo;
    states_[i] = s;
    z_[i] = at_lo ? lo_[i] : hi_[i];
    sign_[i] = lo_[i] == hi_[i] ? 0 : at_lo ? 1 : -1;
  }
  void put_inside(int i) {
    states_[i] = RowState::inside;
    sign_[i] = 0;
  }
  void measure_noise();
  static std::string_view reason_of(Outcome o);

  const DenseRows* A_ = nullptr;
  const VectorX* b_ = nullptr;
  DenseRows dense_;
  ActiveFactor factor_;
  CoupledSystem coupled_;
  SmallTableau small_;
  VectorX sign_;  // that w must have: 1 at lo, -1 at hi, 0 inside and where lo = hi
  VectorX lo_, hi_, z_, w_, root_, noise_, step_, rate_, trial_, scratch_, nearest_;
  std::vector<RowState> states_, before_;
  std::vector<int> rows_, dependent_;
  std::vector<char> given_up_;
  bool some_free_ = false;
  bool fresh_ = false;  // z and w come from the states, not from a drive
  int pivots_ = 0, most_pivots_ = 0;
};

void Dantzig::resize(int n) {
  if (lo_.size() == n) return;
  for (VectorX* v : {&sign_, &lo_, &hi_, &z_, &w_, &root_, &noise_, &step_, &rate_, &trial_})
    v->resize(n);
  states_.resize(n);
  before_.reserve(n);
  given_up_.resize(n);
  rows_.reserve(n);
  dependent_.reserve(n);
}

std::string_view Dantzig::reason_of(Outcome o) {
  switch (o) {
    case Outcome::done:
      return {};
    case Outcome::unbounded:
      return "no solution: a direction d with A d = 0 and b'd < 0 that no bound stops";
    case Outcome::not_semidefinite:
      return "A is not positive semidefinite";
    case Outcome::too_many:
      return "pivot limit";
  }
  return {};
}

// |A_ij| <= sqrt(A_ii A_jj): what the terms of w_i, and of z_i sqrt(A_ii), may amount to.
void Dantzig::measure_noise() {
  const int n = static_cast<int>(z_.size());
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += root_[i] * std::abs(z_[i]);
  for (int i = 0; i < n; ++i) noise_[i] = kNoise * (std::abs((*b_)[i]) + root_[i] * sum);
}

void Dantzig::refactor() {
  const int n = static_cast<int>(z_.size());
  factor_.reset(n);
  rows_.clear();
  if (some_free_)
    for (int i = 0; i < n; ++i)
      if (is_free(i)) rows_.push_back(i);
  for (int i = 0; i < n; ++i)
    if (states_[i] == RowState::inside && !(some_free_ && is_free(i))) rows_.push_back(i);
  dependent_.clear();
  factor_.append(*A_, rows_, dependent_);
  for (const int i : dependent_) {
    // a free row that depends on others does what they do: its z stays
    if (is_free(i)) continue;
    put_at_bound(i, lo_[i] == -kInfinity || z_[i] > hi_[i] ? RowState::at_hi : RowState::at_lo);
  }
}

// z of the rows inside, from those at bounds; w is what those at bounds make it.
void Dantzig::place_inside() {
  for (const int i : factor_.rows()) z_[i] = 0;
  find_w();
  step_inside();
}

void Dantzig::find_w() {
  const int n = static_cast<int>(z_.size());
  rows_.clear();
  int count = 0;
  for (int i = 0; i < n; ++i)
    if (z_[i] != 0) {
      rows_.push_back(i);
      rate_[count++] = z_[i];
    }
  w_ = *b_;
  add_rows_of(*A_, rows_, rate_.data(), w_.data());
}

// A step of Newton's method for w = 0 inside; w is left as it was.
void Dantzig::step_inside() {
  const int* inside = factor_.rows().data();
  const int k = factor_.size();
  for (int t = 0; t < k; ++t) step_[t] = -w_[inside[t]];
  factor_.solve(step_.data());
  for (int t = 0; t < k; ++t) z_[inside[t]] += step_[t];
}

void Dantzig::follow_step() { add_rows_of(*A_, factor_.rows(), step_.data(), w_.data()); }

// From any set of rows inside to one whose z is within the bounds: those out of them go to
// the bound that they passed. The set only shrinks.
void Dantzig::settle() {
  refactor();
  for (;;) {
    place_inside();
    rows_.clear();
    for (const int i : factor_.rows())
      if (z_[i] < lo_[i] || z_[i] > hi_[i]) rows_.push_back(i);
    if (rows_.empty()) break;
    for (const int i : rows_) put_at_bound(i, z_[i] < lo_[i] ? RowState::at_lo : RowState::at_hi);
    if (static_cast<int>(rows_.size()) * 6 > factor_.size()) {
      refactor();
    } else {
      for (const int i : rows_) factor_.remove(factor_.position(i));
    }
  }
  follow_step();
  fresh_ = true;
  measure_noise();
}

int Dantzig::count_wrong() const {
  int count = 0;
  for (int i = 0; i < static_cast<int>(z_.size()); ++i) count += is_wrong(i);
  return count;
}

// Takes all wrong rows inside at once and settles, as long as fewer and fewer are wrong; the
// rest is left to be driven.
void Dantzig::start() {
  settle();
  int wrong = count_wrong();
  for (int round = 0; round < kMostStarts && wrong > kFewWrong; ++round) {
    before_ = states_;
    for (int i = 0; i < static_cast<int>(z_.size()); ++i)
      if (is_wrong(i)) put_inside(i);
    settle();
    const int now = count_wrong();
    const bool better = now < wrong;
    if (!better) {
      for (int i = 0; i < static_cast<int>(z_.size()); ++i)
        if (before_[i] != RowState::inside)
          put_at_bound(i, before_[i]);
        else
          put_inside(i);
      settle();
    }
    if (!better || now > 0.8 * wrong) break;
    wrong = now;
  }
}

int Dantzig::worst_row() {
  const int n = static_cast<int>(z_.size());
  const double *sign = sign_.data(), *w = w_.data(), *noise = noise_.data();
  int worst = -1;
  double most = 0;
  for (int i = 0; i < n; ++i) {
    if (!(sign[i] * w[i] < -noise[i]) || given_up_[i]) continue;
    // A_ii = 0 is first: semidefinite, its row is zero, and w will never change
    const double much = root_[i] > 0 ? std::abs(w[i]) / root_[i] : kInfinity;
    if (much > most) most = much, worst = i;
  }
  return worst;
}

// Whether A d = 0 for d = move of row i and step_ of those inside, `size` the terms of it: for a
// semidefinite A it follows from d'A d = 0; what is to be a proof is not taken on trust.
bool Dantzig::is_null(int i, double move, double size) {
  rate_ = move * A_->row(i).transpose();
  add_rows_of(*A_, factor_.rows(), step_.data(), rate_.data());
  for (int j = 0; j < static_cast<int>(z_.size()); ++j)
    if (!(std::abs(rate_[j]) <= kNull * root_[j] * size)) return false;
  return true;
}

Dantzig::Outcome Dantzig::drive(int i) {
  const int n = static_cast<int>(z_.size());
  const double sign = states_[i] == RowState::at_lo ? 1 : -1;
  fresh_ = false;
  while (pivots_++ < most_pivots_) {
    double schur = factor_.forward(*A_, i);
    const auto inside = factor_.rows();
    const int k = factor_.size();
    factor_.direction(step_.data());
    // the factor is that of A + E with |E_jk| within rounding of root_j root_k: so uncertain is
    // what is left of A_ii
    double size = root_[i];
    for (int t = 0; t < k; ++t) size += root_[inside[t]] * std::abs(step_[t]);
    if (std::abs(schur) <= kRounding * size * size) schur = 0;
    if (schur < 0) return Outcome::not_semidefinite;
    // w_i is 0 already, by a tie, and the row depends on those inside: back along A d = 0
    const bool back = schur == 0 && std::abs(w_[i]) <= kZero * noise_[i];
    const double move = back ? -sign : sign;
    for (int t = 0; t < k; ++t) step_[t] *= -move;

    // how far: to w_i = 0, to its bound ahead, to a bound of a row inside ..
    double reach = schur > 0 ? std::max(-sign * w_[i], 0.0) / schur : kInfinity;
    int blocking = i;
    double slope = 0;
    const double own = move > 0 ? hi_[i] - z_[i] : z_[i] - lo_[i];
    const bool crosses = own < reach;
    if (crosses) reach = own;
    // the driven row first, if it is as near
    const double tie = reach * (1 - kTie) - (crosses || schur == 0 ? 0 : kZero * noise_[i] / schur);
    const auto block = [&](int j, double distance, double speed) {
      const double at = std::max(distance, 0.0) / speed;
      if (blocking == i ? at < tie : at < reach || (at == reach && speed > slope))
        reach = at, blocking = j, slope = speed;
    };
    // what only rounding moves stops nothing: along A d = 0 that would be a step to 1e15
    double much = root_[i];
    if (schur == 0)
      for (int t = 0; t < k; ++t) much = std::max(much, root_[inside[t]] * std::abs(step_[t]));
    for (int t = 0; t < k; ++t) {
      const int j = inside[t];
      if (std::abs(step_[t]) * root_[j] <= kStill * much) continue;
      if (step_[t] < 0)
        block(j, z_[j] - lo_[j], -step_[t]);
      else if (step_[t] > 0)
        block(j, hi_[j] - z_[j], step_[t]);
    }
    // .. or to w = 0 of a valid row at a bound. Along A d = 0 no w moves.
    if (schur > 0) {
      const double* a = A_->row(i).data();
      for (int j = 0; j < n; ++j) rate_[j] = sign * a[j];
      add_rows_of(*A_, inside, step_.data(), rate_.data());
      for (int j = 0; j < n; ++j) {
        const double speed = -sign_[j] * rate_[j];
        // slower than rounding: the row depends on those inside
        if (speed > kNoise * root_[j] * root_[i] && j != i && !given_up_[j] && !is_wrong(j))
          block(j, sign_[j] * w_[j], speed);
      }
    }
    if (reach == kInfinity)
      return is_null(i, move, size) ? Outcome::unbounded : Outcome::not_semidefinite;

    for (int t = 0; t < k; ++t) z_[inside[t]] += reach * step_[t];
    z_[i] += reach * move;
    if (schur > 0) w_ += reach * rate_;
    if (blocking == i) {
      if (crosses) {
        put_at_bound(i, move > 0 ? RowState::at_hi : RowState::at_lo);
      } else {
        w_[i] = 0;
        put_inside(i);
        factor_.push(i, schur);
      }
      return Outcome::done;
    }
    if (states_[blocking] == RowState::inside) {
      const int t = factor_.position(blocking);
      put_at_bound(blocking, step_[t] < 0 ? RowState::at_lo : RowState::at_hi);
      factor_.remove(t);
    } else {
      w_[blocking] = 0;
      const double pivot = factor_.forward(*A_, blocking);
      if (pivot > 0) {
        put_inside(blocking);
        factor_.push(blocking, pivot);
      } else {
        given_up_[blocking] = 1;  // depends on those inside after all
      }
    }
  }
  return Outcome::too_many;
}

// Rounding has gathered in z and w: w from z again, and z if w inside is not 0. True: nothing
// became wrong.
bool Dantzig::polish() {
  if (!fresh_) {
    find_w();
    measure_noise();
    fresh_ = true;
  }
  // what drives have gathered, and the factor's error, next to dependent rows
  bool rough = false;
  for (const int i : factor_.rows()) rough |= std::abs(w_[i]) > kRough * noise_[i];
  if (rough) {
    step_inside();
    follow_step();
  }
  bool out = false;
  for (const int i : factor_.rows()) {
    const double beyond = std::max(lo_[i] - z_[i], z_[i] - hi_[i]);
    if (beyond * root_[i] * root_[i] > noise_[i]) out = true;
  }
  if (out) {
    settle();
  } else {
    for (const int i : factor_.rows()) z_[i] = nearest_in(z_[i], lo_[i], hi_[i]);
  }
  std::fill(given_up_.begin(), given_up_.end(), 0);
  return !out && worst_row() < 0;
}

// From the states: z and states that are valid for the bounds lo_, hi_.
Dantzig::Outcome Dantzig::solve_box() {
  start();
  std::fill(given_up_.begin(), given_up_.end(), 0);
  for (int round = 0; round < kMostPolish; ++round) {
    for (int i = worst_row(); i >= 0; i = worst_row()) {
      const Outcome outcome = drive(i);
      // a Schur complement below zero may be the errors of many updates
      if (outcome == Outcome::not_semidefinite && round + 1 < kMostPolish) {
        put_at_bound(i, states_[i]);
        settle();
        break;
      }
      if (outcome != Outcome::done) return outcome;
    }
    if (polish()) break;
  }
  return Outcome::done;
}

// z is within the bounds that it makes itself, and w has the right signs.
bool Dantzig::fits(const Problem& p, const VectorX& z) {
  const Residuals r = residuals(p, z, trial_, scratch_);
  return r.relative <= options.tolerance;
}

// The part of the way to the new z_j that a round goes. Of different lengths, because steps of one
// length come round in a circle sooner or later; shorter and shorter, for steep problems. Of 3000
// with 51 rows 4 are left so, of 150 with 201 none; with 0.5 alone 0.7 % and 7 % were.
double Dantzig::step_of_round(int round) {
  constexpr double kParts[] = {0.7, 0.3, 0.5};
  return kParts[round % 3] * (round < 70 ? 1 : round < 130 ? 0.5 : 0.2);
}

Dantzig::Outcome Dantzig::solve_followed_bounds(const Problem& p, Answer& answer) {
  const int n = p.size();
  Outcome outcome = Outcome::done;
  VectorX& reach = answer.w;  // z_j that the bounds are taken from
  reach = nearest_ = z_;
  double least = kInfinity;
  for (int round = 0; round < kMostBounds; ++round) {
    for (int i = 0; i < n; ++i) {
      if (p.bound_by[i] < 0) continue;
      const double before = hi_[i];
      hi_[i] = p.mu[i] * std::max(reach[p.bound_by[i]], 0.0);
      lo_[i] = -hi_[i];
      // sticking, until a bound says otherwise
      if (before == 0 && hi_[i] > 0) put_inside(i);
      if (states_[i] != RowState::inside) put_at_bound(i, states_[i]);
      if (hi_[i] == 0) put_at_bound(i, w_[i] < 0 ? RowState::at_hi : RowState::at_lo);
    }
    ++answer.iterations;
    outcome = solve_box();
    if (outcome != Outcome::done) return outcome;
    if (fits(p, z_)) return outcome;
    const bool newton = round < kNewtonBounds;
    VectorX& coupled = answer.z;
    if (coupled_.solve(p, *A_, *b_, states_, coupled) && coupled.allFinite()) {
      if (fits(p, coupled)) {
        z_ = coupled;
        return outcome;
      }
      if (newton) {
        reach = coupled;
        continue;
      }
    }
    double off = 0;
    for (int i = 0; i < n; ++i)
      if (const int j = p.bound_by[i]; j >= 0) off = std::max(off, std::abs(z_[j] - reach[j]));
    if (off < least) least = off, nearest_ = reach;
    if (off > kAstray * least)
      reach = nearest_;
    else
      reach += step_of_round(round) * (z_ - reach);
  }
  return outcome;
}

void Dantzig::run(const Problem& p, Answer& answer) {
  const int n = p.size();
  if (n == 0) return;
  most_pivots_ = options.most_iterations > 0 ? options.most_iterations : 20 * n + 100;
  // a start may be meant to choose between solutions: not without it
  if (!options.warm_start && small_.solve(p, most_pivots_, answer.z, answer.pivots)) return;
  if (p.A.form() != Matrix::Form::dense) p.A.to_dense(dense_);
  A_ = p.A.form() == Matrix::Form::dense ? &p.A.rows() : &dense_;
  b_ = &p.b;
  if (!is_symmetric(*A_)) {
    answer.reason = "A is not symmetric";
    return;
  }
  resize(n);
  pivots_ = 0;
  bool followed = false;
  some_free_ = false;
  for (int i = 0; i < n; ++i) {
    const bool follows = p.bound_by[i] >= 0;
    followed |= follows;
    // a friction row starts closed: normals first, as in Baraff
    const double lo = lo_[i] = follows ? 0 : p.lo[i];
    const double hi = hi_[i] = follows ? 0 : p.hi[i];
    const double z = z_[i] = nearest_in(answer.z[i], lo, hi);
    const RowState state = states_[i] = state_of(z, lo, hi);
    sign_[i] = lo == hi ? 0 : -static_cast<double>(state);
    root_[i] = std::sqrt(std::max((*A_)(i, i), 0.0));
    some_free_ |= lo == -kInfinity && hi == kInfinity;
  }
  // rows that are wrong at the start go inside
  find_w();
  measure_noise();
  for (int i = 0; i < n; ++i)
    if (is_wrong(i)) put_inside(i);

  if (followed) {
    coupled_.resize(n);
    if (options.most_iterations <= 0) most_pivots_ *= 10;  // for all rounds
  }
  Outcome outcome = solve_box();
  if (followed && outcome == Outcome::done) outcome = solve_followed_bounds(p, answer);
  answer.z = z_;
  answer.pivots = std::min(pivots_, most_pivots_);
  answer.reason = reason_of(outcome);
  // with bounds that follow, a round's problem may have no solution where the whole has one
  if (outcome == Outcome::unbounded && !followed) answer.status = SolveStatus::infeasible;
}

}  // namespace

const SolverInfo& dantzig_info() {
  static const SolverInfo info{
      "dantzig", "Cottle-Dantzig principal pivoting, rows made valid one by one (Baraff 1994)",
      "symmetric positive semidefinite A: a solution, or the proof that there is none, also with "
      "redundant rows; bounds by other rows: iterated, may fail; not symmetric: fails",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::boxed),
      // of the semidefinite ones, the symmetric
      bit(MatrixClass::semidefinite), bit(Matrix::Form::dense), true};
  return info;
}

std::unique_ptr<Solver> make_dantzig() { return std::make_unique<Dantzig>(); }

}  // namespace abut
