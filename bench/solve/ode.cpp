// ODE's part in the race of solvers: its Dantzig, the one inside dWorldStep. It is exported by
// the library but declared in none of the public headers, so here it is, for ODE 0.16:
//
//   A x = b + w; x in [lo, hi]; rows with friction_of[i] >= 0 have [-hi x_j, hi x_j]
//
// where x_j is what it is when the row's turn comes: the bounds are set once and do not follow.
// Rows of A are padded to a multiple of 4; A, the pairs (b, x) and (lo, hi) are overwritten.
#include <ode/ode.h>

#include <cstdarg>
#include <cstdlib>

#include "participant.h"

// What ODE takes its scratch memory from: a pointer that it moves, and the ends.
class dxWorldProcessMemArena {
 public:
  void *next = nullptr, *begin = nullptr, *end = nullptr, *owner = nullptr;
  const void* manager = nullptr;
};
extern void dxSolveLCP(dxWorldProcessMemArena* memory, unsigned n, double* A, double* b_and_x,
                       double* w, unsigned unbounded, double* lo_and_hi, int* friction_of);
extern std::size_t dxEstimateSolveLCPMemoryReq(unsigned n, bool with_w);

namespace {

// It says so each time when a row depends on others.
void keep_quiet(int, const char*, va_list) {}

struct OdeProblem {
  int n = 0, stride = 0;
  unsigned unbounded = 0;
  std::vector<double> A, b_and_x, lo_and_hi;
  std::vector<int> friction_of;
};

OdeProblem translate(const abut::Problem& p) {
  OdeProblem o;
  o.n = p.size();
  o.stride = o.n > 1 ? (o.n + 3) / 4 * 4 : 1;
  const auto n = static_cast<std::size_t>(o.n);
  o.A.assign(n * static_cast<std::size_t>(o.stride), 0.0);
  o.b_and_x.assign(2 * n, 0.0);
  o.lo_and_hi.resize(2 * n);
  o.friction_of = p.bound_by;
  for (int i = 0; i < o.n; ++i) {
    const auto k = static_cast<std::size_t>(i);
    for (int j = 0; j < o.n; ++j)
      o.A[k * static_cast<std::size_t>(o.stride) + static_cast<std::size_t>(j)] = p.A.rows()(i, j);
    o.b_and_x[2 * k] = -p.b[i];
    const bool follows = p.bound_by[k] >= 0;
    o.lo_and_hi[2 * k] = follows ? -p.mu[i] : p.lo[i];
    o.lo_and_hi[2 * k + 1] = follows ? p.mu[i] : p.hi[i];
  }
  return o;
}

class Ode final : public Participant {
 public:
  std::string engine() const override { return "ODE 0.16"; }

  std::vector<std::string> methods(const abut::Family& family, int) const override {
    const bool symmetric = family.kind == abut::ProblemKind::boxed ||
                           family.matrix != abut::MatrixClass::copositive_plus;
    if (family.kind == abut::ProblemKind::cone || !symmetric) return {};
    return {"dantzig"};
  }

  void load(const std::vector<abut::Problem>& problems,
            const std::vector<std::string>& methods) override {
    fresh_.clear();
    if (methods.empty()) return;
    std::size_t memory = 0;
    for (const abut::Problem& p : problems) {
      fresh_.push_back(translate(p));
      memory = std::max(memory, dxEstimateSolveLCPMemoryReq(static_cast<unsigned>(p.size()), true));
    }
    memory_.resize(memory / sizeof(double) + 64);
  }

  void restore(const std::string&) override { used_ = fresh_; }

  void solve(const std::string&, int problem) override {
    OdeProblem& o = used_[static_cast<std::size_t>(problem)];
    arena_.next = arena_.begin = arena_.owner = memory_.data();
    arena_.end = memory_.data() + memory_.size();
    dxSolveLCP(&arena_, static_cast<unsigned>(o.n), o.A.data(), o.b_and_x.data(), nullptr,
               o.unbounded, o.lo_and_hi.data(), o.friction_of.data());
  }

  abut::VectorX solution(int problem) const override {
    const OdeProblem& o = used_[static_cast<std::size_t>(problem)];
    abut::VectorX z(o.n);
    for (int i = 0; i < o.n; ++i) z[i] = o.b_and_x[2 * static_cast<std::size_t>(i) + 1];
    return z;
  }

 private:
  std::vector<OdeProblem> fresh_, used_;
  std::vector<double> memory_;
  dxWorldProcessMemArena arena_;
};

}  // namespace

int main() {
  dSetMessageHandler(keep_quiet);
  dSetDebugHandler(keep_quiet);
  Ode ode;
  return serve(ode);
}
