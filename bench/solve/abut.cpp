// abut's part in the race of solvers. What is timed is `solve`: with w, the residuals and the
// verdict, which the peers leave to their callers.
#include <map>
#include <memory>

#include "participant.h"

namespace {

class Abut final : public Participant {
 public:
  std::string engine() const override { return "abut"; }

  std::vector<std::string> methods(const abut::Family& family, int n) const override {
    if (family.kind == abut::ProblemKind::cone) return {"cone", "nsgs"};
    if (family.matrix == abut::MatrixClass::copositive_plus &&
        family.kind == abut::ProblemKind::lcp)
      return {"lemke"};  // A is not symmetric
    // pyramids of 1000 rows are an LCP of 2333, which takes lemke seconds
    if (family.kind == abut::ProblemKind::boxed && n > 500) return {"dantzig", "pivot"};
    return {"lemke", "dantzig", "pivot"};
  }

  void load(const std::vector<abut::Problem>& problems,
            const std::vector<std::string>& methods) override {
    problems_ = &problems;
    answers_.assign(problems.size(), {});
    solvers_.clear();
    for (const std::string& method : methods) {
      abut::SolveOptions options;
      if (method == "cone" || method == "nsgs") {
        options.tolerance = kSolved;
        options.most_iterations = method == "nsgs" ? kMostSweeps : 0;
      }
      solvers_[method] = abut::make_solver(method, options);
    }
  }

  void restore(const std::string& method) override { solver_ = solvers_.at(method).get(); }

  void solve(const std::string&, int problem) override {
    const auto i = static_cast<std::size_t>(problem);
    solver_->solve((*problems_)[i], answers_[i]);
  }

  abut::VectorX solution(int problem) const override {
    return answers_[static_cast<std::size_t>(problem)].z;
  }

 private:
  const std::vector<abut::Problem>* problems_ = nullptr;
  std::vector<abut::Answer> answers_;
  std::map<std::string, std::unique_ptr<abut::Solver>> solvers_;
  abut::Solver* solver_ = nullptr;
};

}  // namespace

int main() {
  Abut abut;
  return serve(abut);
}
