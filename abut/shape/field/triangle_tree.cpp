#include "abut/shape/field/triangle_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "abut/math/index.h"

namespace abut {
namespace {

constexpr int kLeaf = 4;       // triangles
constexpr int kDeepest = 128;  // entries of a stack: two a level
constexpr double kFar = 2.5;   // radii: farther nodes count as one in the winding number

double squared_distance(const Aabb& box, const Vec3& x) {
  return (box.min - x).cwiseMax(x - box.max).cwiseMax(0.0).squaredNorm();
}

}  // namespace

std::array<Vec3, 3> corners_of(const TriangleMesh& mesh, int triangle) {
  const auto& [a, b, c] = mesh.triangles[at(triangle)];
  return {mesh.vertices[at(a)], mesh.vertices[at(b)], mesh.vertices[at(c)]};
}

double solid_angle(const std::array<Vec3, 3>& corners, const Vec3& x) {
  const Vec3 a = corners[0] - x, b = corners[1] - x, c = corners[2] - x;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  return std::atan2(a.dot(b.cross(c)),
                    la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb) /
         (2 * std::numbers::pi);
}

TriangleTree::TriangleTree(const TriangleMesh& mesh) {
  const int count = static_cast<int>(mesh.triangles.size());
  order_.resize(at(count));
  std::iota(order_.begin(), order_.end(), 0);
  std::vector<Vec3> middles;
  for (int t = 0; t < count; ++t) {
    const std::array<Vec3, 3> p = corners_of(mesh, t);
    boxes_.push_back(aabb(p));
    middles.push_back((p[0] + p[1] + p[2]) / 3);
  }
  if (count > 0) build(mesh, middles, 0, count);
}

// Halves of equal count along the longest side: depth is the logarithm of the count.
int TriangleTree::build(const TriangleMesh& mesh, const std::vector<Vec3>& middles, int begin,
                        int end) {
  const int index = static_cast<int>(nodes_.size());
  nodes_.emplace_back();
  Node node;
  node.begin = begin;
  node.end = end;
  Aabb of_middles;
  double area = 0;
  for (int i = begin; i < end; ++i) {
    const int t = order_[at(i)];
    node.box.merge(boxes_[at(t)]);
    of_middles.merge(middles[at(t)]);
    const std::array<Vec3, 3> p = corners_of(mesh, t);
    const Vec3 twice = (p[1] - p[0]).cross(p[2] - p[0]);
    node.area += 0.5 * twice;
    node.middle += twice.norm() * middles[at(t)];
    area += twice.norm();
  }
  node.middle = area > 0 ? Vec3(node.middle / area) : node.box.center();
  for (int i = begin; i < end; ++i)
    for (const Vec3& p : corners_of(mesh, order_[at(i)]))
      node.radius = std::max(node.radius, (p - node.middle).norm());
  if (end - begin > kLeaf) {
    int axis = 0;
    of_middles.extent().maxCoeff(&axis);
    const int middle = (begin + end) / 2;
    std::nth_element(
        order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int s, int t) {
          return std::pair(middles[at(s)][axis], s) < std::pair(middles[at(t)][axis], t);
        });
    node.left = build(mesh, middles, begin, middle);
    node.right = build(mesh, middles, middle, end);
  }
  nodes_[at(index)] = node;
  return index;
}

NearestTriangle TriangleTree::nearest(const TriangleMesh& mesh, const Vec3& x, double bound,
                                      long* visits) const {
  NearestTriangle best;
  if (nodes_.empty()) return best;
  double least = bound * bound;
  std::array<std::pair<double, int>, kDeepest> stack;
  int top = 0;
  stack[0] = {squared_distance(nodes_[0].box, x), 0};
  for (top = 1; top > 0;) {
    const auto [near, index] = stack[at(--top)];
    if (near > least) continue;
    if (visits) ++*visits;
    const Node& node = nodes_[at(index)];
    if (node.left < 0) {
      for (int i = node.begin; i < node.end; ++i) {
        const int t = order_[at(i)];
        if (squared_distance(boxes_[at(t)], x) > least) continue;
        const TrianglePoint p = nearest_on_triangle(corners_of(mesh, t), x);
        const double d2 = (x - p.p).squaredNorm();
        if (d2 > least || (d2 == least && best.triangle >= 0)) continue;
        least = d2;
        best.triangle = t;
        best.at = p;
      }
      continue;
    }
    std::pair<double, int> a{squared_distance(nodes_[at(node.left)].box, x), node.left};
    std::pair<double, int> b{squared_distance(nodes_[at(node.right)].box, x), node.right};
    if (b.first < a.first) std::swap(a, b);
    stack[at(top++)] = b;
    stack[at(top++)] = a;
  }
  if (best.triangle >= 0) best.distance = std::sqrt(least);
  return best;
}

void TriangleTree::in_box(const Aabb& box, std::vector<int>& out) const {
  if (nodes_.empty()) return;
  std::array<int, kDeepest> stack;
  stack[0] = 0;
  for (int top = 1; top > 0;) {
    const Node& node = nodes_[at(stack[at(--top)])];
    if (!overlap(node.box, box)) continue;
    if (node.left < 0) {
      for (int i = node.begin; i < node.end; ++i)
        if (overlap(boxes_[at(order_[at(i)])], box)) out.push_back(order_[at(i)]);
      continue;
    }
    stack[at(top++)] = node.right;
    stack[at(top++)] = node.left;
  }
}

void TriangleTree::pairs(const TriangleTree& other, const Transform& X, double reach,
                         std::vector<std::pair<int, int>>& out) const {
  if (nodes_.empty() || other.nodes_.empty()) return;
  const Mat3 size = X.R.cwiseAbs();
  const auto placed = [&](const Aabb& box) -> Aabb {
    const Vec3 center = X * box.center();
    const Vec3 half = 0.5 * (size * box.extent()) + Vec3::Constant(reach);
    return {center - half, center + half};
  };
  std::array<std::pair<int, int>, 2 * kDeepest> stack;
  stack[0] = {0, 0};
  for (int top = 1; top > 0;) {
    const auto [i, k] = stack[at(--top)];
    const Node &a = nodes_[at(i)], &b = other.nodes_[at(k)];
    if (!overlap(a.box, placed(b.box))) continue;
    if (a.left < 0 && b.left < 0) {
      for (int q = b.begin; q < b.end; ++q) {
        const Aabb box = placed(other.boxes_[at(other.order_[at(q)])]);
        for (int p = a.begin; p < a.end; ++p)
          if (overlap(boxes_[at(order_[at(p)])], box))
            out.emplace_back(order_[at(p)], other.order_[at(q)]);
      }
    } else if (b.left < 0 || (a.left >= 0 && a.end - a.begin >= b.end - b.begin)) {
      stack[at(top++)] = {a.left, k};
      stack[at(top++)] = {a.right, k};
    } else {
      stack[at(top++)] = {i, b.left};
      stack[at(top++)] = {i, b.right};
    }
  }
}

double TriangleTree::winding(const TriangleMesh& mesh, const Vec3& x) const {
  if (nodes_.empty()) return 0;
  double sum = 0;
  std::array<int, kDeepest> stack;
  stack[0] = 0;
  for (int top = 1; top > 0;) {
    const Node& node = nodes_[at(stack[at(--top)])];
    const Vec3 way = node.middle - x;
    const double far = way.norm();
    if (far > kFar * node.radius) {
      sum += node.area.dot(way) / (4 * std::numbers::pi * far * far * far);
    } else if (node.left < 0) {
      for (int i = node.begin; i < node.end; ++i)
        sum += solid_angle(corners_of(mesh, order_[at(i)]), x);
    } else {
      stack[at(top++)] = node.left;
      stack[at(top++)] = node.right;
    }
  }
  return sum;
}

}  // namespace abut
