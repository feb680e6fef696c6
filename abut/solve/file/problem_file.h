// Problems in JSON files (docs/solvers.md has the whole format):
//
//   {"kind": "lcp", "n": 2, "A": [[2, 1], [1, 2]], "b": [-1, 1]}
//
// solve/fclib/problem_formats.h reads FCLIB's files too, and needs HDF5.
//
//   abut::ProblemFile file = abut::read_json_problem("slide.json");
//   solver->solve(file.problem, answer);
//   print(abut::in_file_order(file, answer.z));
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "abut/math/file_error.h"
#include "abut/solve/file/problem_content.h"

namespace abut {

// Throws FileError that names the file, the line and the field. The problem is valid
// (Problem::what_is_wrong is empty).
ProblemFile read_json_problem(const std::filesystem::path& file);
// Of JSON text; `name` is for messages.
ProblemFile parse_problem(std::string_view text, const std::string& name);
// Throws FileError if there is no such file, or a folder of that name.
void check_problem_file(const std::filesystem::path& file);

// Reading again gives the same bits. Dense matrices are written as rows, others as triplets.
// Throws FileError.
void write_json_problem(const std::filesystem::path& file, const ProblemFile& problem);
std::string problem_text(const ProblemFile& problem);  // the JSON

}  // namespace abut
