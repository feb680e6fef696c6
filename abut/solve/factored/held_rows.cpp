#include "abut/solve/factored/held_rows.h"

#include <algorithm>

#include "abut/math/index.h"

namespace abut {

void HeldRows::begin(const FactoredMatrix& A, int tree) {
  A_ = &A;
  tree_ = tree;
  rows_.clear();
  at_.clear();
  only_.clear();
  formed_ = false;
}

void HeldRows::add(int group, int k) {
  const RowGroup& g = A_->groups[at(group)];
  rows_.push_back(g.row + k);
  at_.push_back(g.begin[0] + k * A_->trees[at(tree_)].size);
  only_.push_back(g.only);
}

double HeldRows::diagonal(int i) const {
  const double soft = A_->softness.empty() ? 0 : A_->softness[at(rows_[at(i)])];
  return soft + dot(i, MinvJT(i));
}

double HeldRows::dot(int i, const double* x) const {
  const int only = only_[at(i)];
  return only >= 0 ? J(i)[only] * x[only] : tree_dot(J(i), x, A_->trees[at(tree_)].size);
}

void HeldRows::form() {
  const int count = static_cast<int>(rows_.size());
  E_.resize(count, count);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j <= i; ++j) E_(i, j) = E_(j, i) = dot(i, MinvJT(j));
    if (!A_->softness.empty()) E_(i, i) += A_->softness[at(rows_[at(i)])];
  }
  formed_ = true;
}

void HeldRows::hold(std::span<const char> held) {
  held_.clear();
  for (std::size_t i = 0; i < rows_.size(); ++i)
    if (held[at(rows_[i])]) held_.push_back(static_cast<int>(i));
  if (!formed_ && !held_.empty()) form();
  factor_.reset(static_cast<int>(rows_.size()));
  dependent_.clear();
  factor_.append(E_, held_, dependent_);
}

// x_ = E^-1 right_, refined once: loops may be nearly redundant.
void HeldRows::find_impulses() {
  x_ = right_;
  factor_.solve(x_.data());
  const std::span<const int> rows = factor_.rows();
  left_ = right_;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < rows.size(); ++j) left_[i] -= E_(rows[i], rows[j]) * x_[j];
  factor_.solve(left_.data());
  for (std::size_t i = 0; i < rows.size(); ++i) x_[i] += left_[i];
}

void HeldRows::solve(const VectorX& b, std::span<const double> u, VectorX& z) {
  const double* of_tree = &u[at(A_->trees[at(tree_)].first)];
  right_.clear();
  for (const int i : factor_.rows()) right_.push_back(-b[rows_[at(i)]] - dot(i, of_tree));
  find_impulses();
  for (const int i : dependent_) z[rows_[at(i)]] = 0;
  for (std::size_t k = 0; k < x_.size(); ++k) z[rows_[at(factor_.rows()[k])]] = x_[k];
}

void HeldRows::stiffen(double* row) {
  const int n = A_->trees[at(tree_)].size;
  right_.clear();
  for (const int i : factor_.rows()) right_.push_back(dot(i, row));
  find_impulses();
  for (std::size_t k = 0; k < x_.size(); ++k) {
    const double* from = MinvJT(factor_.rows()[k]);
    for (int i = 0; i < n; ++i) row[i] -= x_[k] * from[i];
  }
}

}  // namespace abut
