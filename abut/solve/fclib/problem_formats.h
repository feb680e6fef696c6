// Problems in files of every format that there is; the name says which. Names that end in .hdf5 or
// .h5 are FCLIB's (fclib_file.h), all others are JSON (solve/file/problem_file.h).
//
//   abut::ProblemFile file = abut::read_problem("slide.hdf5");
//   abut::write_problem("slide.json", file);
#pragma once

#include <filesystem>

#include "abut/math/file_error.h"
#include "abut/solve/answer.h"
#include "abut/solve/file/problem_content.h"

namespace abut {

// Throws FileError that names the file, the line and the field. The problem is sound
// (Problem::what_is_wrong is empty).
ProblemFile read_problem(const std::filesystem::path& file);

// Reading again gives the same bits. FCLIB files get the solution too, if `answer` is one. Throws
// FileError.
void write_problem(const std::filesystem::path& file, const ProblemFile& problem,
                   const Answer* answer = nullptr);

}  // namespace abut
