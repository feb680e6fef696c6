// The solvers alone: z = 2, 0 of a small LCP.
#include <cstdio>

#include "abut/solve/solver.h"

int main() {
  abut::Problem p = abut::Problem::lcp(2);
  p.A.rows() << 2, 1, 1, 2;
  p.b << -4, 1;
  abut::Answer answer;
  abut::make_solver("lemke")->solve(p, answer);
  std::printf("%g %g\n", answer.z[0], answer.z[1]);
}
