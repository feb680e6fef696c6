// Problems in files. JSON (docs/solvers.md has the whole format):
//
//   {"kind": "lcp", "n": 2, "A": [[2, 1], [1, 2]], "b": [-1, 1]}
//
// Names that end in .hdf5 or .h5 are FCLIB's (fclib_file.h).
//
//   abut::ProblemFile file = abut::read_problem("slide.json");
//   solver->solve(file.problem, answer);
//   print(abut::in_file_order(file, answer.z));
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "abut/math/file_error.h"
#include "abut/solve/answer.h"

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

// Throws FileError that names the file, the line and the field. The problem is sound
// (Problem::what_is_wrong is empty).
ProblemFile read_problem(const std::filesystem::path& file);
// Of JSON text; `name` is for messages.
ProblemFile parse_problem(std::string_view text, const std::string& name);

// Reading again gives the same bits. Dense matrices are written as rows, others as triplets.
// FCLIB files get the solution too, if `answer` is one. Throws FileError.
void write_problem(const std::filesystem::path& file, const ProblemFile& problem,
                   const Answer* answer = nullptr);
std::string problem_text(const ProblemFile& problem);  // JSON

// Numbers of the problem's rows, in the order of the file, and back.
VectorX in_file_order(const ProblemFile& file, const VectorX& z);
VectorX from_file_order(const ProblemFile& file, const VectorX& z);

}  // namespace abut
