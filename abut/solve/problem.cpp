#include "abut/solve/problem.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstdint>

namespace abut {

std::string_view name(ProblemKind kind) {
  switch (kind) {
    case ProblemKind::lcp:
      return "lcp";
    case ProblemKind::mlcp:
      return "mlcp";
    case ProblemKind::boxed:
      return "boxed";
    case ProblemKind::cone:
      return "cone";
  }
  return "";
}

void Problem::resize(int n) {
  b.setZero(n);
  lo.setZero(n);
  hi.setConstant(n, kInfinity);
  bound_by.assign(n, -1);
  mu.setZero(n);
  cones.clear();
}

bool all_plain(const Problem& p) {
  const int n = p.size();
  const double *lo = p.lo.data(), *hi = p.hi.data();
  const int* bound_by = p.bound_by.data();
  constexpr auto kUnbounded = std::bit_cast<std::uint64_t>(kInfinity);
  std::uint64_t other = 0;
  for (int i = 0; i < n; ++i)
    other |= (std::bit_cast<std::uint64_t>(lo[i]) << 1) |  // 0 and -0
             (std::bit_cast<std::uint64_t>(hi[i]) ^ kUnbounded);
  int none = -1;
  for (int i = 0; i < n; ++i) none &= bound_by[i];
  return other == 0 && none < 0;
}

ProblemKind Problem::kind() const {
  if (!cones.empty()) return ProblemKind::cone;
  if (all_plain(*this)) return ProblemKind::lcp;
  bool free = false;
  for (int i = 0; i < size(); ++i) {
    if (bound_by[i] < 0 && lo[i] == 0 && hi[i] == kInfinity) continue;
    if (!is_free(i)) return ProblemKind::boxed;
    free = true;
  }
  return free ? ProblemKind::mlcp : ProblemKind::lcp;
}

namespace {

std::string wrong_row(const Problem& p, int i, const std::vector<bool>& in_cone) {
  if (!std::isfinite(p.b[i])) return fmt::format("b[{}] is not a finite number", i);
  if (in_cone[i])
    return p.bound_by[i] >= 0
               ? fmt::format("row {} is in a cone and bound by row {}", i, p.bound_by[i])
               : "";
  if (p.bound_by[i] < 0) {
    if (!(p.lo[i] <= p.hi[i]) || p.lo[i] == kInfinity || p.hi[i] == -kInfinity)
      return fmt::format("row {}: lo = {} is not below hi = {}", i, p.lo[i], p.hi[i]);
    return "";
  }
  const int j = p.bound_by[i];
  if (j >= p.size() || j == i) return fmt::format("row {} is bound by row {}", i, j);
  if (p.bound_by[j] >= 0 || in_cone[j])
    return fmt::format("row {} is bound by row {}, which is itself {}", i, j,
                       in_cone[j] ? "in a cone" : "bound by another");
  if (!(p.lo[j] >= 0))
    return fmt::format("row {} is bound by row {}, which may be negative (lo = {})", i, j, p.lo[j]);
  if (!(p.mu[i] >= 0) || !std::isfinite(p.mu[i]))
    return fmt::format("row {}: mu = {} is not 0 or more", i, p.mu[i]);
  return "";
}

}  // namespace

std::string Problem::what_is_wrong() const {
  const int n = size();
  if (A.size() != n) return fmt::format("A has {} rows, b has {}", A.size(), n);
  if (A.form() == Matrix::Form::dense && A.rows().cols() != n)
    return fmt::format("A is {} x {}", A.rows().rows(), A.rows().cols());
  if (lo.size() != n || hi.size() != n || mu.size() != n || static_cast<int>(bound_by.size()) != n)
    return fmt::format("lo, hi, mu or bound_by has not {} entries", n);
  if (!A.all_finite()) return "A has an entry that is not a finite number";

  std::vector<bool> in_cone(n, false);
  int end = 0;
  for (const Cone& c : cones) {
    if (c.size != 2 && c.size != 3) return fmt::format("a cone has {} rows: 2 or 3 can be", c.size);
    if (c.first < end || c.first + c.size > n)
      return fmt::format("the cone of rows {} to {} is out of order or out of range", c.first,
                         c.first + c.size - 1);
    if (!(c.mu >= 0) || !std::isfinite(c.mu))
      return fmt::format("the cone of row {}: mu = {} is not 0 or more", c.first, c.mu);
    end = c.first + c.size;
    for (int i = c.first; i < end; ++i) in_cone[i] = true;
  }
  for (int i = 0; i < n; ++i)
    if (std::string wrong = wrong_row(*this, i, in_cone); !wrong.empty()) return wrong;
  return "";
}

}  // namespace abut
