#include "abut/solve/sparse/front_lu.h"

#include <algorithm>
#include <cstring>

#include "abut/math/index.h"

namespace abut {

void FrontLu::set(const SparseBlocks& K) {
  if (K.graph == graph_ && K.graph.nodes() > 0) return sort_edges(K);
  graph_ = K.graph;
  tree_.build(graph_);
  first_.assign(K.first.begin(), K.first.end());
  size_.assign(K.graph.size.begin(), K.graph.size.end());
  sort_edges(K);
  local_.resize(size_.size());
  front_.resize(at(tree_.largest()) * at(tree_.largest()));
  stack_.resize(tree_.stack());
  values_.resize(tree_.values());
  part_.resize(at(tree_.largest()));
}

// An edge belongs to the front that owns the node which is eliminated first. Fronts are in
// postorder, so that this front has the lower index.
void FrontLu::sort_edges(const SparseBlocks& K) {
  const auto front_of = [&](const SparseBlocks::Edge& e) {
    return at(std::min(tree_.front_of(e.i), tree_.front_of(e.j)));
  };
  edge_begin_.assign(tree_.fronts().size() + 1, 0);
  for (const SparseBlocks::Edge& e : K.edges) ++edge_begin_[front_of(e) + 1];
  for (std::size_t i = 1; i < edge_begin_.size(); ++i) edge_begin_[i] += edge_begin_[i - 1];
  next_ = edge_begin_;
  edge_order_.resize(K.edges.size());
  for (std::size_t e = 0; e < K.edges.size(); ++e)
    edge_order_[at(next_[front_of(K.edges[e])]++)] = static_cast<int>(e);
}

bool FrontLu::factor(const SparseBlocks& K) {
  std::size_t top = 0;  // of the stack of update matrices
  for (std::size_t i = 0; i < tree_.fronts().size(); ++i) {
    const Front& f = tree_.fronts()[i];
    assemble(K, static_cast<int>(i));
    // children lie on the stack in their order
    for (int c = f.child_end - 1; c >= f.child_begin; --c) {
      const Front& child = tree_.fronts()[at(tree_.children()[at(c)])];
      top -= at(child.update) * at(child.update);
      add_child(child, stack_.data() + top, f.size());
    }
    if (!dense_.eliminate(front_.data(), f.size(), f.own)) return false;
    top = keep(f, top);
  }
  return true;
}

// The front's own entries of K; all others are zero.
void FrontLu::assemble(const SparseBlocks& K, int front) {
  const Front& f = tree_.fronts()[at(front)];
  const std::size_t ld = at(f.size());
  std::fill_n(front_.data(), ld * ld, 0.0);
  for (int k = f.node_begin; k < f.node_begin + f.own_nodes + f.update_nodes; ++k)
    local_[at(tree_.nodes()[at(k)])] = tree_.offsets()[at(k)];
  const auto put = [&](const double* block, int rows, int columns, int row, int column) {
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < rows; ++r)
        front_[at(column + c) * ld + at(row + r)] = block[r * columns + c];
  };
  for (int k = f.node_begin; k < f.node_begin + f.own_nodes; ++k) {
    const int node = tree_.nodes()[at(k)], n = size_[at(node)];
    put(&K.values[K.diagonal[at(node)]], n, n, local_[at(node)], local_[at(node)]);
  }
  for (int k = edge_begin_[at(front)]; k < edge_begin_[at(front) + 1]; ++k) {
    const SparseBlocks::Edge& e = K.edges[at(edge_order_[at(k)])];
    const int ni = size_[at(e.i)], nj = size_[at(e.j)];
    put(&K.values[e.upper], ni, nj, local_[at(e.i)], local_[at(e.j)]);
    put(&K.values[e.lower], nj, ni, local_[at(e.j)], local_[at(e.i)]);
  }
}

void FrontLu::add_child(const Front& child, const double* update, int size) {
  place_.clear();
  for (int k = 0; k < child.update_nodes; ++k) {
    const int n = size_[at(tree_.nodes()[at(child.node_begin + child.own_nodes + k)])];
    const int begin = tree_.relative()[at(child.relative_begin + k)];
    for (int r = 0; r < n; ++r) place_.push_back(begin + r);
  }
  for (int c = 0; c < child.update; ++c) {
    double* out = front_.data() + at(place_[at(c)]) * at(size);
    const double* in = update + at(c) * at(child.update);
    for (int r = 0; r < child.update; ++r) out[place_[at(r)]] += in[r];
  }
}

// L and U go to the factors, the update matrix onto the stack. Returns the new top.
std::size_t FrontLu::keep(const Front& f, std::size_t top) {
  const std::size_t ld = at(f.size()), own = at(f.own), update = at(f.update);
  double* values = values_.data() + f.values_begin;
  std::copy_n(front_.data(), own * ld, values);
  double* U = values + own * ld;
  double* S = stack_.data() + top;
  for (std::size_t c = 0; c < update; ++c) {
    const double* column = front_.data() + (own + c) * ld;
    std::copy_n(column, own, U + c * own);
    std::copy_n(column + own, update, S + c * update);
  }
  return top + update * update;
}

void FrontLu::gather(const Front& f, const double* x) {
  for (int k = f.node_begin; k < f.node_begin + f.own_nodes + f.update_nodes; ++k) {
    const int node = tree_.nodes()[at(k)];
    std::copy_n(x + first_[at(node)], size_[at(node)], part_.data() + tree_.offsets()[at(k)]);
  }
}

void FrontLu::scatter(const Front& f, int count, double* x) const {
  for (int k = f.node_begin; k < f.node_begin + count; ++k) {
    const int node = tree_.nodes()[at(k)];
    std::copy_n(part_.data() + tree_.offsets()[at(k)], size_[at(node)], x + first_[at(node)]);
  }
}

void FrontLu::solve(double* x) {
  for (const Front& f : tree_.fronts()) {
    gather(f, x);
    const std::size_t ld = at(f.size());
    for (int c = 0; c < f.own; ++c) {
      const double* L = values_.data() + f.values_begin + at(c) * ld;
      const double factor = part_[at(c)];
      for (int r = c + 1; r < f.size(); ++r) part_[at(r)] -= factor * L[r];
    }
    scatter(f, f.own_nodes + f.update_nodes, x);
  }
  for (auto f = tree_.fronts().rbegin(); f != tree_.fronts().rend(); ++f) {
    gather(*f, x);
    const std::size_t ld = at(f->size()), own = at(f->own);
    const double* L = values_.data() + f->values_begin;
    const double* U = L + own * ld;
    for (int c = 0; c < f->update; ++c) {
      const double factor = part_[own + at(c)];
      for (std::size_t r = 0; r < own; ++r) part_[r] -= factor * U[at(c) * own + r];
    }
    for (int c = f->own - 1; c >= 0; --c) {
      const double factor = part_[at(c)] /= L[at(c) * ld + at(c)];
      for (int r = 0; r < c; ++r) part_[at(r)] -= factor * L[at(c) * ld + at(r)];
    }
    scatter(*f, f->own_nodes, x);
  }
}

}  // namespace abut
