// Problems in files. JSON (docs/solvers.md has the complete format):
//
//   {"kind": "lcp", "n": 2, "A": [[2, 1], [1, 2]], "b": [-1, 1]}
//
// Names that end in .hdf5 or .h5 are FCLIB files (fclib_file.h).
//
//   abut::ProblemFile file = abut::read_problem("slide.json");
//   solver->solve(file.problem, answer);
//   print(abut::in_file_order(file, answer.z));
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "abut/math/file_error.h"
#include "abut/solve/answer.h"
#include "abut/solve/file/problem_content.h"

namespace abut {

// Throws FileError that names the file, the line and the field. The problem is valid
// (Problem::what_is_wrong is empty).
ProblemFile read_problem(const std::filesystem::path& file);
// The same for JSON text; `name` is used in messages.
ProblemFile parse_problem(std::string_view text, const std::string& name);

// Reading the file again gives the same bits. Dense matrices are written as rows, others as
// triplets. FCLIB files also get the solution, if `answer` is one. Throws FileError.
void write_problem(const std::filesystem::path& file, const ProblemFile& problem,
                   const Answer* answer = nullptr);
std::string problem_text(const ProblemFile& problem);  // JSON

}  // namespace abut
