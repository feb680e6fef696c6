// ProblemFile: what a file of a problem holds, whatever its format (problem_file.h).
#pragma once

#include <string>
#include <vector>

#include "abut/solve/problem.h"

namespace abut {

struct ProblemFile {
  Problem problem;
  // The file's row of each row of `problem`, where they differ: a file may name the rows of a
  // cone in any order, a Problem has them side by side. Empty: the same.
  std::vector<int> file_row;
  std::string note;                   // for people
  std::vector<std::string> warnings;  // with file and line
  VectorX start, solution;            // as the problem's z; empty: the file has none (FCLIB may)
};

// Numbers of the problem's rows, in the order of the file, and back.
VectorX in_file_order(const ProblemFile& file, const VectorX& z);
VectorX from_file_order(const ProblemFile& file, const VectorX& z);

}  // namespace abut
