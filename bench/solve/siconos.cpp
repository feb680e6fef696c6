// Siconos's part in the race of solvers: Lemke (lexicographic) and its pivoting with Lemke's
// rule for LCPs, nonsmooth Gauss-Seidel for cones. Problems and options are made before the
// race; LCPs are dense, cones block-sparse, which is what it is fastest with.
#include <siconos/numerics/FrictionContactProblem.h>
#include <siconos/numerics/Friction_cst.h>
#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/SparseBlockMatrix.h>
#include <siconos/numerics/lcp_cst.h>

#include <deque>
#include <map>
#include <memory>

#include "participant.h"

namespace {

struct DeleteOptions {
  void operator()(SolverOptions* options) const {
    solver_options_delete(options);
    std::free(options);
  }
};
using Options = std::unique_ptr<SolverOptions, DeleteOptions>;

Options make_options(int solver, int most_iterations, double tolerance) {
  Options options(solver_options_create(solver));
  options->iparam[SICONOS_IPARAM_MAX_ITER] = most_iterations;
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  return options;
}

struct Lcp {
  Eigen::MatrixXd columns;
  abut::VectorX q, z, w;
  NumericsMatrix M{};
  LinearComplementarityProblem problem{};

  explicit Lcp(const abut::Problem& p) : columns(p.A.rows()), q(p.b) {
    const int n = p.size();
    NM_null(&M);
    M.storageType = NM_DENSE;
    M.size0 = M.size1 = n;
    M.matrix0 = columns.data();
    problem.size = n;
    problem.M = &M;
    problem.q = q.data();
  }
};

struct Cones {
  std::vector<double> values;  // blocks, column major
  std::vector<double*> blocks;
  std::vector<unsigned> ends;
  std::vector<std::size_t> row_begin, column;
  SparseBlockStructuredMatrix sparse{};
  abut::VectorX q, mu, z, w;
  NumericsMatrix M{};
  FrictionContactProblem problem{};
  double tolerance = 0;

  explicit Cones(const abut::Problem& p) : q(p.b) {
    const abut::BlockRows& A = p.A.blocks();
    const int contacts = A.size();
    mu.resize(contacts);
    values.resize(A.values.size());
    for (int i = 0; i < contacts; ++i) mu[i] = p.cones[static_cast<std::size_t>(i)].mu;
    for (std::size_t k = 0; k < A.column.size(); ++k) {
      double* to = values.data() + A.value_begin[k];
      const double* from = A.block(static_cast<int>(k));
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) to[3 * c + r] = from[3 * r + c];
      blocks.push_back(to);
      column.push_back(static_cast<std::size_t>(A.column[k]));
    }
    for (int i = 0; i < contacts; ++i) ends.push_back(3 * static_cast<unsigned>(i + 1));
    row_begin.assign(A.row_begin.begin(), A.row_begin.end());
    SBM_null(&sparse);
    sparse.nbblocks = static_cast<unsigned>(blocks.size());
    sparse.block = blocks.data();
    sparse.blocknumber0 = sparse.blocknumber1 = static_cast<unsigned>(contacts);
    sparse.blocksize0 = sparse.blocksize1 = ends.data();
    sparse.filled1 = row_begin.size();
    sparse.filled2 = column.size();
    sparse.index1_data = row_begin.data();
    sparse.index2_data = column.data();
    NM_null(&M);
    M.storageType = NM_SPARSE_BLOCK;
    M.size0 = M.size1 = p.size();
    M.matrix1 = &sparse;
    problem.dimension = 3;
    problem.numberOfContacts = contacts;
    problem.M = &M;
    problem.q = q.data();
    problem.mu = mu.data();
  }
};

class Siconos final : public Participant {
 public:
  std::string engine() const override { return "Siconos 4.4"; }

  std::vector<std::string> methods(const abut::Family& family, int n) const override {
    if (family.kind == abut::ProblemKind::cone) return {"nsgs"};
    if (family.kind != abut::ProblemKind::lcp) return {};
    // its pivot takes 5 to 10 seconds a problem of 1000 rows
    if (n > 500) return {"lemke"};
    return {"lemke", "pivot"};
  }

  void load(const std::vector<abut::Problem>& problems,
            const std::vector<std::string>& methods) override {
    lcps_.clear();
    cones_.clear();
    if (methods.empty()) return;
    // what is solved takes less than 2 n; what is not should not take the rest of the minute
    const int most = std::max(1000, 3 * problems[0].size());
    options_["lemke"] = make_options(SICONOS_LCP_LEMKE, most, 1e-12);
    options_["pivot"] = make_options(SICONOS_LCP_PIVOT, most, 1e-12);
    options_["nsgs"] = make_options(SICONOS_FRICTION_3D_NSGS, kMostSweeps, kSolved);
    for (const abut::Problem& p : problems) {
      if (methods[0] == "nsgs")
        cones_.emplace_back(p);
      else
        lcps_.emplace_back(p);
    }
    for (std::size_t i = 0; i < cones_.size(); ++i) find_tolerance(problems[i], cones_[i]);
  }

  void restore(const std::string& method) override {
    for (Lcp& p : lcps_) p.z = p.w = abut::VectorX::Zero(p.q.size());
    for (Cones& p : cones_) p.z = p.w = abut::VectorX::Zero(p.q.size());
    run_ = method == "lemke" ? lcp_lexicolemke : lcp_pivot;
    used_ = options_.at(method).get();
  }

  void solve(const std::string&, int problem) override {
    const auto i = static_cast<std::size_t>(problem);
    if (!cones_.empty()) return run_cones(cones_[i]);
    Lcp& p = lcps_[i];
    int info = 0;
    run_(&p.problem, p.z.data(), p.w.data(), &info, used_);
  }

  abut::VectorX solution(int problem) const override {
    const auto i = static_cast<std::size_t>(problem);
    return cones_.empty() ? lcps_[i].z : cones_[i].z;
  }

 private:
  void run_cones(Cones& p) {
    SolverOptions* options = options_.at("nsgs").get();
    options->dparam[SICONOS_DPARAM_TOL] = p.tolerance;
    fc3d_driver(&p.problem, p.z.data(), p.w.data(), options);
  }

  // It measures errors in its own way, by the 2-norm over |q|. It gets a tolerance with which z
  // comes out as good as is asked of all, and hardly better.
  void find_tolerance(const abut::Problem& problem, Cones& p) {
    abut::VectorX w, scratch;
    p.tolerance = kSolved * (1 + p.q.cwiseAbs().maxCoeff()) / p.q.norm();
    for (int round = 0; round < 2; ++round) {
      p.z = p.w = abut::VectorX::Zero(p.q.size());
      run_cones(p);
      const double residual = abut::residuals(problem, p.z, w, scratch).relative;
      p.tolerance *= std::clamp(0.9 * kSolved / residual, 0.1, 100.0);
      if (residual > kSolved) return;
    }
  }

  std::deque<Lcp> lcps_;  // they point into themselves
  std::deque<Cones> cones_;
  std::map<std::string, Options> options_;
  SolverOptions* used_ = nullptr;
  void (*run_)(LinearComplementarityProblem*, double*, double*, int*, SolverOptions*) = nullptr;
};

}  // namespace

int main() {
  Siconos siconos;
  return serve(siconos);
}
