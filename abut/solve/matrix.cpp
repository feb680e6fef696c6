#include "abut/solve/matrix.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/linear/kernels.h"

namespace abut {

namespace {

// Calls f(block row, block column, values) for every stored block.
template <class F>
void for_each_block(const BlockRows& m, F&& f) {
  for (int r = 0; r < m.size(); ++r)
    for (int k = m.row_begin[r]; k < m.row_begin[r + 1]; ++k) f(r, m.column[k], m.block(k));
}

// y += a x for a block of `rows` rows; contacts, which are most blocks, without loops
template <class Term>
void add_block(const double* a, int rows, int columns, const double* x, double* y, Term&& term) {
  if (columns == 3 && rows == 3) {
    const double x0 = x[0], x1 = x[1], x2 = x[2];
    for (int i = 0; i < 3; ++i, a += 3) y[i] += term(a[0] * x0) + term(a[1] * x1) + term(a[2] * x2);
    return;
  }
  for (int i = 0; i < rows; ++i, a += columns) {
    double sum = 0;
    for (int j = 0; j < columns; ++j) sum += term(a[j] * x[j]);
    y[i] += sum;
  }
}

}  // namespace

int Matrix::size() const {
  switch (form_) {
    case Form::dense:
      return static_cast<int>(dense_.rows());
    case Form::blocks:
      return blocks_.unknowns();
    case Form::matrix_free:
      return operator_.size;
    case Form::factored:
      return factored_.rows();
  }
  return 0;
}

void Matrix::set_dense(int n) {
  form_ = Form::dense;
  dense_.resize(n, n);
  dense_.setZero();
}

void Matrix::set_blocks() {
  form_ = Form::blocks;
  blocks_.clear();
}

void Matrix::set_operator(MatrixOperator op) {
  form_ = Form::matrix_free;
  operator_ = std::move(op);
}

void Matrix::set_factored() {
  form_ = Form::factored;
  factored_.clear();
}

void Matrix::multiply(const VectorX& x, VectorX& y) const {
  y.resize(size());
  if (form_ == Form::dense) {
    const int n = size();
    const double* a = dense_.data();
    for (int i = 0; i < n; ++i, a += n) y[i] = dot(a, x.data(), n);
  } else if (form_ == Form::matrix_free) {
    operator_.apply(x.data(), y.data());
  } else if (form_ == Form::factored) {
    factored_.multiply(x.data(), y.data(), u_);
  } else {
    y.setZero();
    for_each_block(blocks_, [&](int r, int c, const double* a) {
      add_block(a, blocks_.width(r), blocks_.width(c), x.data() + blocks_.first[c],
                y.data() + blocks_.first[r], [](double t) { return t; });
    });
  }
}

void Matrix::multiply_abs(const VectorX& x, VectorX& y) const {
  y.resize(size());
  if (form_ == Form::dense) {
    const int n = size();
    const double* a = dense_.data();
    for (int i = 0; i < n; ++i, a += n) y[i] = dot_of_sizes(a, x.data(), n);
  } else if (form_ == Form::matrix_free) {
    operator_.apply(x.data(), y.data());
    y = y.cwiseAbs();
  } else if (form_ == Form::factored) {
    factored_.multiply_abs(x.data(), y.data(), u_);
  } else {
    y.setZero();
    for_each_block(blocks_, [&](int r, int c, const double* a) {
      add_block(a, blocks_.width(r), blocks_.width(c), x.data() + blocks_.first[c],
                y.data() + blocks_.first[r], [](double t) { return std::abs(t); });
    });
  }
}

void Matrix::to_dense(DenseRows& out) const {
  const int n = size();
  if (form_ == Form::dense) {
    out = dense_;
    return;
  }
  out.resize(n, n);
  out.setZero();
  if (form_ == Form::blocks) {
    for_each_block(blocks_, [&](int r, int c, const double* a) {
      out.block(blocks_.first[r], blocks_.first[c], blocks_.width(r), blocks_.width(c)) =
          Eigen::Map<const DenseRows>(a, blocks_.width(r), blocks_.width(c));
    });
  } else {
    VectorX unit = VectorX::Zero(n), column(n);
    for (int j = 0; j < n; ++j) {
      unit[j] = 1;
      multiply(unit, column);
      out.col(j) = column;
      unit[j] = 0;
    }
  }
}

double Matrix::max_abs() const {
  if (form_ == Form::dense) return dense_.size() == 0 ? 0 : dense_.cwiseAbs().maxCoeff();
  double most = 0;
  if (form_ == Form::factored) {
    for (int g = 0; g < static_cast<int>(factored_.groups.size()); ++g)
      for (int k = 0; k < factored_.groups[g].size; ++k)
        most = std::max(most, factored_.diagonal(g, k));
    return most;
  }
  const BlockRows& stored = form_ == Form::blocks ? blocks_ : operator_.diagonal;
  for (const double a : stored.values) most = std::max(most, std::abs(a));
  return most;
}

bool Matrix::all_finite() const {
  if (form_ == Form::dense) return dense_.allFinite();
  const auto finite = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(), [](double a) { return std::isfinite(a); });
  };
  if (form_ == Form::factored)
    return finite(factored_.J) && finite(factored_.MinvJT) && finite(factored_.softness);
  return finite(form_ == Form::blocks ? blocks_.values : operator_.diagonal.values);
}

}  // namespace abut
