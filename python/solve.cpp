// abut.solve: complementarity problems.
#include "abut/solve/solver.h"
#include "held.h"

namespace abut::python {
namespace {

using Bound = std::tuple<int, int, double>;            // i, j, mu: |z_i| <= mu z_j
using ConeRows = std::pair<std::vector<int>, double>;  // normal row and tangential rows, mu

Problem problem_of(const MatX& A, const VectorX& b, const std::optional<VectorX>& lo,
                   const std::optional<VectorX>& hi, const std::vector<int>& free,
                   const std::vector<Bound>& hi_of, const std::vector<ConeRows>& cones) {
  const auto n = b.size();
  if (A.rows() != n || A.cols() != n || (lo && lo->size() != n) || (hi && hi->size() != n))
    throw py::value_error("A must be n x n, and b, lo and hi have n numbers");
  const auto row = [n](int i) {
    if (i < 0 || i >= n)
      throw py::index_error("row " + std::to_string(i) + ": there are " + std::to_string(n));
    return i;
  };
  Problem p = Problem::lcp(static_cast<int>(n));
  p.A.rows() = A, p.b = b;
  if (lo) p.lo = *lo;
  if (hi) p.hi = *hi;
  for (const int i : free) p.set_free(row(i));
  for (const auto& [i, j, mu] : hi_of) p.set_bound_by(row(i), row(j), mu);
  for (const auto& [rows, mu] : cones) {
    if (rows.size() < 2 || rows.size() > 3)
      throw py::value_error("a cone has 2 or 3 rows: the normal one, then the tangential ones");
    for (std::size_t k = 0; k < rows.size(); ++k)
      if (row(rows[k]) != rows[0] + static_cast<int>(k))
        throw py::value_error("the rows of a cone follow each other");
    p.cones.push_back({rows[0], static_cast<int>(rows.size()), mu});
  }
  if (const std::string wrong = p.what_is_wrong(); !wrong.empty()) throw py::value_error(wrong);
  return p;
}

Answer solve_problem(const MatX& A, const VectorX& b, std::optional<VectorX> lo,
                     std::optional<VectorX> hi, const std::string& method, double tolerance,
                     const std::vector<int>& free, const std::vector<Bound>& hi_of,
                     const std::vector<ConeRows>& cones) {
  const Problem p = problem_of(A, b, lo, hi, free, hi_of, cones);
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
  py::class_<Answer>(m, "Answer",
                     "What a solver found; w = A z + b.\n\n"
                     ">>> abut.solve([[1]], [-2]).status\n'solved'\n")
      .def_property_readonly("status", [](const Answer& a) { return std::string(name(a.status)); })
      .def_property_readonly("z", [](const Answer& a) { return a.z; })
      .def_property_readonly("w", [](const Answer& a) { return a.w; })
      .def_property_readonly("residual", [](const Answer& a) { return a.residuals.relative; })
      .def_readonly("iterations", &Answer::iterations)
      .def_readonly("pivots", &Answer::pivots);
  m.def("solve", &solve_problem, py::arg("A"), py::arg("b"), py::arg("lo") = py::none(),
        py::arg("hi") = py::none(), py::arg("solver") = "auto",
        py::arg("tolerance") = kSolveTolerance, py::arg("free") = std::vector<int>(),
        py::arg("hi_of") = std::vector<Bound>(), py::arg("cones") = std::vector<ConeRows>(),
        "Finds z and w = A z + b with lo <= z <= hi (0 and infinity unless given): w >= 0 where\n"
        "z = lo, w <= 0 where z = hi, w = 0 between. free: rows with w = 0. hi_of: (i, j, mu) for\n"
        "|z_i| <= mu z_j. cones: (rows, mu) of Coulomb's law, the normal row first.\n\n"
        ">>> abut.solve([[2, 1], [1, 2]], [-1, 1]).z.tolist()\n[0.5, 0.0]\n");
  m.def(
      "solvers",
      [] {
        py::dict out;
        for (const SolverEntry& s : solvers())
          out[py::str(std::string(s.info->name))] = std::string(s.info->summary);
        return out;
      },
      "Solvers by name, and a line of each.\n\n>>> 'lemke' in abut.solvers()\nTrue\n");
}

}  // namespace abut::python
