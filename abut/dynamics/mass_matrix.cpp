#include "abut/dynamics/mass_matrix.h"

#include <algorithm>

#include "abut/dynamics/free_body.h"

namespace abut {

namespace {

// The rows of different dofs never overlap, and saying so lets these vectorise without a test
// at run time.
inline void subtract(double* __restrict x, const double* __restrict y, double a, int n) {
  for (int j = 0; j < n; ++j) x[j] -= a * y[j];
}
inline void subtract(double* __restrict x, const double* __restrict y, double a,
                     const double* __restrict z, double b, int n) {
  for (int j = 0; j < n; ++j) x[j] -= a * y[j] + b * z[j];
}

}  // namespace

void mass_matrix(const Model& model, Derived& d) {
  for (const Tree& tree : model.trees) {
    if (tree.free_body) {
      const Link& link = model.links[tree.link_begin];
      free_body::mass_rows(link, d.body_rotation[link.body], &d.M[model.M_row[tree.dof_begin]]);
      continue;
    }
    const int begin = tree.link_begin, end = tree.link_begin + tree.link_count;
    for (int l = begin; l < end; ++l) d.composite[l] = d.link_inertia[l];
    for (int l = end - 1; l >= begin; --l) {
      const Link& link = model.links[l];
      if (link.parent >= 0) d.composite[link.parent] += d.composite[l];
      for (int i = link.dof_begin; i < link.dof_begin + link.dof_count; ++i) {
        const Spatial F = d.composite[l] * d.S[i];
        double* row = &d.M[model.M_row[i]];
        const int* col = &model.M_col[model.M_row[i]];
        const int n = model.M_row[i + 1] - model.M_row[i];
        for (int k = 0; k < n; ++k) row[k] = dot(d.S[col[k]], F);
        row[n - 1] += model.dofs[i].armature;
      }
    }
  }
}

void factor(const Model& model, Derived& d, std::span<const double> extra) {
  for (const Tree& tree : model.trees) {
    if (tree.free_body) continue;
    const int begin = tree.dof_begin, end = tree.dof_begin + tree.dof_count;
    std::copy(&d.M[model.M_row[begin]],
              &d.M[model.M_row[begin]] + (model.M_row[end] - model.M_row[begin]),
              &d.LTL[model.M_row[begin]]);
    if (!extra.empty())
      for (int k = begin; k < end; ++k) d.LTL[model.M_row[k + 1] - 1] += extra[k];
    for (int k = end - 1; k >= begin; --k) {
      double* row_k = &d.LTL[model.M_row[k]];
      const int* col = &model.M_col[model.M_row[k]];
      const int last = model.M_row[k + 1] - model.M_row[k] - 1;
      const double inverse = 1 / row_k[last];
      row_k[last] = inverse;
      // the way to an ancestor is a prefix of the way to k, so its row is eliminated by one
      // contiguous update
      if (last == 0 || col[last - 1] != k - 1) {
        for (int p = last - 1; p >= 0; --p) {
          const double a = row_k[p] * inverse;
          subtract(&d.LTL[model.M_row[col[p]]], row_k, a, p + 1);
          row_k[p] = a;
        }
        continue;
      }
      // next in turn is k's own parent: both rows go into the ancestors in one pass, since
      // it is memory, not arithmetic, that this waits for
      double* row_p = &d.LTL[model.M_row[k - 1]];
      const double a = row_k[last - 1] * inverse;
      subtract(row_p, row_k, a, last);
      row_k[last - 1] = a;
      const double parent_inverse = 1 / row_p[last - 1];
      row_p[last - 1] = parent_inverse;
      for (int p = last - 2; p >= 0; --p) {
        const double a_k = row_k[p] * inverse, a_p = row_p[p] * parent_inverse;
        subtract(&d.LTL[model.M_row[col[p]]], row_k, a_k, row_p, a_p, p + 1);
        row_k[p] = a_k;
        row_p[p] = a_p;
      }
      --k;
    }
  }
}

void solve_tree(const Model& model, const Derived& d, const Tree& tree, double* x) {
  const int begin = tree.dof_begin, end = tree.dof_begin + tree.dof_count;
  // x <- L^-T x
  for (int i = end - 1; i >= begin; --i) {
    const double* row = &d.LTL[model.M_row[i]];
    const int* col = &model.M_col[model.M_row[i]];
    const int last = model.M_row[i + 1] - model.M_row[i] - 1;
    const double xi = x[i - begin];
    for (int k = 0; k < last; ++k) x[col[k] - begin] -= row[k] * xi;
  }
  // x <- L^-1 D^-1 x
  for (int i = begin; i < end; ++i) {
    const double* row = &d.LTL[model.M_row[i]];
    const int* col = &model.M_col[model.M_row[i]];
    const int last = model.M_row[i + 1] - model.M_row[i] - 1;
    double sum = x[i - begin] * row[last];
    for (int k = 0; k < last; ++k) sum -= row[k] * x[col[k] - begin];
    x[i - begin] = sum;
  }
}

void solve_tree_four(const Model& model, const Derived& d, const Tree& tree, double* x) {
  const int begin = tree.dof_begin, end = tree.dof_begin + tree.dof_count;
  const auto four = [&](int dof) { return x + 4 * (dof - begin); };
  for (int i = end - 1; i >= begin; --i) {
    const double* row = &d.LTL[model.M_row[i]];
    const int* col = &model.M_col[model.M_row[i]];
    const int last = model.M_row[i + 1] - model.M_row[i] - 1;
    const double* xi = four(i);
    for (int k = 0; k < last; ++k) {
      double* xk = four(col[k]);
      for (int r = 0; r < 4; ++r) xk[r] -= row[k] * xi[r];
    }
  }
  for (int i = begin; i < end; ++i) {
    const double* row = &d.LTL[model.M_row[i]];
    const int* col = &model.M_col[model.M_row[i]];
    const int last = model.M_row[i + 1] - model.M_row[i] - 1;
    double* xi = four(i);
    double sum[4];
    for (int r = 0; r < 4; ++r) sum[r] = xi[r] * row[last];
    for (int k = 0; k < last; ++k) {
      const double* xk = four(col[k]);
      for (int r = 0; r < 4; ++r) sum[r] -= row[k] * xk[r];
    }
    for (int r = 0; r < 4; ++r) xi[r] = sum[r];
  }
}

void solve(const Model& model, const Derived& d, std::span<double> x) {
  for (const Tree& tree : model.trees) {
    if (tree.free_body) {
      const Link& link = model.links[tree.link_begin];
      free_body::solve(link, d.body_rotation[link.body], &x[tree.dof_begin]);
    } else {
      solve_tree(model, d, tree, &x[tree.dof_begin]);
    }
  }
}

void multiply(const Model& model, const Derived& d, std::span<const double> x,
              std::span<double> y) {
  std::fill(y.begin(), y.end(), 0.0);
  for (int i = 0; i < model.nv; ++i) {
    const int first = model.M_row[i], last = model.M_row[i + 1] - 1;
    for (int k = first; k < last; ++k) {
      y[i] += d.M[k] * x[model.M_col[k]];
      y[model.M_col[k]] += d.M[k] * x[i];
    }
    y[i] += d.M[last] * x[i];
  }
}

MatX dense_mass_matrix(const Model& model, const Derived& d) {
  MatX M = MatX::Zero(model.nv, model.nv);
  for (int i = 0; i < model.nv; ++i)
    for (int k = model.M_row[i]; k < model.M_row[i + 1]; ++k) {
      M(i, model.M_col[k]) = d.M[k];
      M(model.M_col[k], i) = d.M[k];
    }
  return M;
}

}  // namespace abut
