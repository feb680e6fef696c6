#include "abut/solve/pivoting/lcp_form.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/tolerances.h"

namespace abut {

// z is known
bool LcpForm::is_known(int i) const {
  const Problem& p = *problem_;
  return p.bound_by[i] >= 0 ? p.mu[i] == 0 : p.lo[i] == p.hi[i];
}

bool LcpForm::build(const Problem& problem) {
  problem_ = &problem;
  same_ = problem.kind() == ProblemKind::lcp && problem.A.form() == Matrix::Form::dense;
  if (same_) return true;
  sort_rows();
  if (!eliminate_free_rows()) return false;
  name_unknowns();
  write();
  return true;
}

void LcpForm::sort_rows() {
  const Problem& p = *problem_;
  const int n = p.size();
  constant_.resize(n);
  order_.clear();
  for (int i = 0; i < n; ++i)
    if (p.is_free(i)) order_.push_back(i);
  free_ = static_cast<int>(order_.size());
  for (int i = 0; i < n; ++i) {
    constant_[i] = 0;
    if (p.bound_by[i] < 0 && p.lo[i] > -kInfinity)
      constant_[i] = p.lo[i];
    else if (p.bound_by[i] < 0 && p.hi[i] < kInfinity)
      constant_[i] = p.hi[i];
    if (!p.is_free(i) && !is_known(i)) order_.push_back(i);
  }
}

// Gaussian elimination of the free block with complete pivoting, applied to all rows and columns
// that stay. Returns false for a row 0 = c.
bool LcpForm::eliminate_free_rows() {
  const Problem& p = *problem_;
  const int n = p.size(), stay = static_cast<int>(order_.size());
  g_.resize(stay);
  W_.resize(stay, stay);
  p.A.multiply(constant_, w_);
  const bool dense = p.A.form() == Matrix::Form::dense;
  if (!dense) p.A.to_dense(A_);
  const DenseRows& A = dense ? p.A.rows() : A_;
  for (int r = 0; r < stay; ++r) {
    g_[r] = p.b[order_[r]] + w_[order_[r]];
    for (int c = 0; c < stay; ++c) W_(r, c) = A(order_[r], order_[c]);
  }
  z_.resize(n);
  rhs_.resize(free_);
  u_.resize(free_);

  row_order_.resize(free_);
  column_order_.resize(free_);
  row_scale_.resize(free_);
  column_most_.setZero(stay);
  double g_most = 0;
  for (int r = 0; r < free_; ++r) {
    row_order_[r] = column_order_[r] = r;
    const double most = W_.row(r).cwiseAbs().maxCoeff();
    row_scale_[r] = most > 0 ? 1 / most : 1;
    W_.row(r) *= row_scale_[r];
    g_[r] *= row_scale_[r];
    g_most = std::max(g_most, std::abs(g_[r]));
    column_most_ = column_most_.cwiseMax(W_.row(r).cwiseAbs().transpose());
  }
  const auto exchange_rows = [&](int a, int b) {
    if (a == b) return;
    W_.row(a).swap(W_.row(b));
    std::swap(g_[a], g_[b]);
    std::swap(row_order_[a], row_order_[b]);
  };
  const auto exchange_columns = [&](int a, int b) {
    if (a == b) return;
    W_.col(a).swap(W_.col(b));
    std::swap(column_order_[a], column_order_[b]);
    std::swap(column_most_[a], column_most_[b]);
  };

  for (eliminated_ = 0; eliminated_ < free_; ++eliminated_) {
    const int s = eliminated_;
    // the largest, relative to its column: a column's unit must not matter
    int row = s, column = s;
    double most = 0;
    for (int r = s; r < free_; ++r)
      for (int c = s; c < free_; ++c) {
        const double size = std::abs(W_(r, c));
        if (size > most * column_most_[c]) most = size / column_most_[c], row = r, column = c;
      }
    if (!(most > kEquationRank)) break;
    exchange_rows(row, s);
    exchange_columns(column, s);
    const auto pivot_row = W_.row(s).tail(stay - s - 1);
    for (int r = s + 1; r < stay; ++r) {
      const double factor = W_(r, s) / W_(s, s);
      W_(r, s) = factor;
      if (factor == 0) continue;
      W_.row(r).tail(stay - s - 1) -= factor * pivot_row;
      g_[r] -= factor * g_[s];
    }
  }

  // the rest of the free block is zero: such a row restricts other unknowns, or nothing
  bool restricts = false;
  for (int r = eliminated_; r < free_; ++r) {
    W_.row(r).segment(eliminated_, free_ - eliminated_).setZero();
    bool empty = true;
    for (int c = free_; c < stay; ++c)
      if (std::abs(W_(r, c)) > kEquationRank * column_most_[c]) empty = false;
    if (empty && !(std::abs(g_[r]) <= kConsistentRows * g_most)) return false;
    restricts |= !empty;
  }
  kept_free_ = restricts ? free_ - eliminated_ : 0;
  // pair each row with its own column if that is left too: pairs keep M as definite as A is
  for (int r = eliminated_; r < free_; ++r)
    for (int c = r + 1; c < free_; ++c)
      if (column_order_[c] == row_order_[r]) exchange_columns(c, r);
  return true;
}

void LcpForm::name_unknowns() {
  const Problem& p = *problem_;
  const int stay = static_cast<int>(order_.size());
  unknowns_.clear();
  first_unknown_.assign(p.size(), -1);
  const auto add = [&](const Unknown& u) {
    unknowns_.push_back(u);
    return static_cast<int>(unknowns_.size()) - 1;
  };
  for (int c = free_; c < stay; ++c) {
    const int i = order_[c];
    const bool mirrored = p.bound_by[i] < 0 && p.lo[i] == -kInfinity;
    first_unknown_[i] = add({.row = c, .sign = mirrored ? -1.0 : 1.0});
  }
  for (int r = eliminated_; r < eliminated_ + kept_free_; ++r) {
    add({.row = r, .sign = 1});
    add({.row = r, .sign = -1});
  }
  for (int c = free_; c < stay; ++c) {
    const int i = order_[c], x = first_unknown_[i], j = p.bound_by[i];
    if (j >= 0) {
      const int minus = add({.row = c, .sign = -1});
      add({.row = c,
           .sign = 0,
           .first = x,
           .second = minus,
           .bound_of = first_unknown_[j],
           .bound = p.mu[i] * constant_[j]});
    } else if (p.lo[i] > -kInfinity && p.hi[i] < kInfinity) {
      add({.row = c, .sign = 0, .first = x, .bound = p.hi[i] - p.lo[i]});
    }
  }
}

void LcpForm::write() {
  const Problem& p = *problem_;
  const int m = static_cast<int>(unknowns_.size());
  M_.resize(m, m);
  M_.setZero();
  q_.resize(m);
  for (int k = 0; k < m; ++k) {
    const Unknown& u = unknowns_[k];
    if (u.sign != 0) {
      q_[k] = u.sign * g_[u.row];
      for (int l = 0; l < m; ++l)
        if (const Unknown& v = unknowns_[l]; v.sign != 0)
          M_(k, l) = u.sign * v.sign * W_(u.row, v.row);
      continue;
    }
    q_[k] = u.bound;
    if (u.bound_of >= 0) M_(k, u.bound_of) = p.mu[order_[u.row]];
  }
  // slacks last: the loop above writes whole rows
  for (int k = 0; k < m; ++k) {
    const Unknown& u = unknowns_[k];
    if (u.sign != 0) continue;
    for (const int x : {u.first, u.second}) {
      if (x < 0) continue;
      M_(k, x) = -1;
      M_(x, k) = 1;
    }
  }
}

// A_ff u = rhs by the factors, with 0 for the eliminated part; rhs is in units of its rows
void LcpForm::solve_free(VectorX& rhs, VectorX& u) const {
  u.setZero();
  for (int r = 0; r < eliminated_; ++r) {
    const int from = row_order_[r];
    double sum = rhs[from] * row_scale_[from];
    for (int c = 0; c < r; ++c) sum -= W_(r, c) * u[c];
    u[r] = sum;
  }
  for (int r = eliminated_ - 1; r >= 0; --r) {
    for (int c = r + 1; c < eliminated_; ++c) u[r] -= W_(r, c) * u[c];
    u[r] /= W_(r, r);
  }
}

void LcpForm::restore(const VectorX& x, VectorX& z) {
  if (same_) {
    z = x;
    return;
  }
  const Problem& p = *problem_;
  z = constant_;
  u_.setZero();
  for (std::size_t k = 0; k < unknowns_.size(); ++k) {
    const Unknown& u = unknowns_[k];
    if (u.sign == 0) continue;
    if (u.row >= free_)
      z[order_[u.row]] += u.sign * x[k];
    else
      z[order_[column_order_[u.row]]] += u.sign * x[k];
  }
  // free rows: w = 0, with one refinement
  for (int step = 0; step < (eliminated_ > 0 ? 2 : 0); ++step) {
    p.A.multiply(z, w_);
    for (int r = 0; r < free_; ++r) rhs_[r] = -(w_[order_[r]] + p.b[order_[r]]);
    solve_free(rhs_, u_);
    for (int c = 0; c < eliminated_; ++c) z[order_[column_order_[c]]] += u_[c];
  }
}

void LcpForm::lift(const VectorX& z, const VectorX& w, VectorX& x) const {
  if (same_) {
    x = z;
    return;
  }
  x.resize(size());
  for (int k = 0; k < size(); ++k) {
    const Unknown& u = unknowns_[k];
    const int i = order_[u.row >= free_ ? u.row : column_order_[u.row]];
    const double from = z[i] - constant_[i];
    if (u.sign != 0)
      x[k] = std::max(u.sign * from, 0.0);
    else
      x[k] = u.second >= 0 ? std::abs(w[i]) : std::max(-w[i], 0.0);
  }
}

}  // namespace abut
