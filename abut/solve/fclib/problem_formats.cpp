#include "abut/solve/fclib/problem_formats.h"

#include "abut/solve/fclib/fclib_file.h"
#include "abut/solve/file/problem_file.h"

namespace abut {

namespace {

bool is_fclib(const std::filesystem::path& file) {
  return file.extension() == ".hdf5" || file.extension() == ".h5";
}

}  // namespace

ProblemFile read_problem(const std::filesystem::path& file) {
  check_problem_file(file);
  return is_fclib(file) ? read_fclib(file) : read_json_problem(file);
}

void write_problem(const std::filesystem::path& file, const ProblemFile& problem,
                   const Answer* answer) {
  if (is_fclib(file)) return write_fclib(file, problem, answer);
  write_json_problem(file, problem);
}

}  // namespace abut
