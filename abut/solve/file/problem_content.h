// ProblemFile: the content of a problem file, whatever its format (problem_file.h).
#pragma once

#include <string>
#include <vector>

#include "abut/solve/problem.h"

namespace abut {

struct ProblemFile {
  Problem problem;
  // The file's row of each row of `problem`, if they differ: a file may list the rows of a cone in
  // any order, a Problem has them side by side. Empty: the same order.
  std::vector<int> file_row;
  std::string note;                   // for people
  std::vector<std::string> warnings;  // with file and line
  VectorX start, solution;            // as the problem's z; empty: the file has none (FCLIB may)
};

// Converts numbers of the problem's rows to the order of the file, and back.
VectorX in_file_order(const ProblemFile& file, const VectorX& z);
VectorX from_file_order(const ProblemFile& file, const VectorX& z);

}  // namespace abut
