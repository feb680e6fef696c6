// abut.solve: complementarity problems.
#include "abut/solve/solver.h"
#include "held.h"

namespace abut::python {
namespace {

Problem problem_of(const MatX& A, const VectorX& b, const std::optional<VectorX>& lo,
                   const std::optional<VectorX>& hi) {
  const auto n = b.size();
  if (A.rows() != n || A.cols() != n || (lo && lo->size() != n) || (hi && hi->size() != n))
    throw py::value_error("A must be n x n, and b, lo and hi have n numbers");
  Problem p = Problem::lcp(static_cast<int>(n));
  p.A.rows() = A, p.b = b;
  if (lo) p.lo = *lo;
  if (hi) p.hi = *hi;
  if (const std::string wrong = p.what_is_wrong(); !wrong.empty()) throw py::value_error(wrong);
  return p;
}

Answer solve_problem(const MatX& A, const VectorX& b, std::optional<VectorX> lo,
                     std::optional<VectorX> hi, const std::string& method, double tolerance) {
  const Problem p = problem_of(A, b, lo, hi);
  const auto solver = make_solver(method);
  solver->options.tolerance = tolerance;
  Answer answer;
  const py::gil_scoped_release unlocked;
  solver->solve(p, answer);
  answer.solver = {}, answer.reason = {};  // they may point into the solver
  return answer;
}

}  // namespace

void bind_solve(py::module_& m) {
  py::class_<Answer>(m, "Answer", "What a solver found; w = A z + b.")
      .def_property_readonly("status", [](const Answer& a) { return std::string(name(a.status)); })
      .def_property_readonly("z", [](const Answer& a) { return a.z; })
      .def_property_readonly("w", [](const Answer& a) { return a.w; })
      .def_property_readonly("residual", [](const Answer& a) { return a.residuals.relative; })
      .def_readonly("iterations", &Answer::iterations)
      .def_readonly("pivots", &Answer::pivots);
  m.def("solve", &solve_problem, py::arg("A"), py::arg("b"), py::arg("lo") = py::none(),
        py::arg("hi") = py::none(), py::arg("solver") = "auto",
        py::arg("tolerance") = kSolveTolerance,
        "Finds z and w = A z + b with lo <= z <= hi (0 and infinity unless given): w >= 0 where\n"
        "z = lo, w <= 0 where z = hi, w = 0 between.");
}

}  // namespace abut::python
