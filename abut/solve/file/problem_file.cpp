#include "abut/solve/file/problem_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "abut/math/output_file.h"
#include "abut/solve/file/triplets.h"

namespace abut {

namespace {

using Json = nlohmann::ordered_json;

// The way back: the shortest decimal that reads as the same double.
std::string decimal(double x) { return Json(x).dump(); }

std::string decimals(const VectorX& v) {
  std::string out;
  for (const double x : v) out += (out.empty() ? "" : ", ") + decimal(x);
  return "[" + out + "]";
}

std::string bounds(const VectorX& v) {
  std::string out;
  for (const double x : v)
    out += (out.empty() ? "" : ", ") + (std::isfinite(x) ? decimal(x)
                                        : x > 0          ? "\"inf\""
                                                         : "\"-inf\"");
  return "[" + out + "]";
}

std::string matrix_text(const ProblemFile& file) {
  const Matrix& A = file.problem.A;
  const auto row_of = [&](int i) { return file.file_row.empty() ? i : file.file_row[i]; };
  std::string out;
  if (A.form() == Matrix::Form::dense) {
    const int n = A.size();
    std::vector<int> place(n);
    for (int i = 0; i < n; ++i) place[row_of(i)] = i;
    for (int i = 0; i < n; ++i) {
      VectorX row(n);
      for (int j = 0; j < n; ++j) row[j] = A.rows()(place[i], place[j]);
      out += (i == 0 ? "\n    " : ",\n    ") + decimals(row);
    }
    return "[" + out + "]";
  }
  for (const Triplet& t : triplets_of(A))
    out += fmt::format("{}\n    [{}, {}, {}]", out.empty() ? "" : ",", row_of(t.row),
                       row_of(t.column), decimal(t.value));
  return "{\"triplets\": [" + out + "]}";
}

}  // namespace

std::string problem_text(const ProblemFile& file) {
  const Problem& p = file.problem;
  const auto row_of = [&](int i) { return file.file_row.empty() ? i : file.file_row[i]; };
  VectorX lo = p.lo, hi = p.hi;
  std::string free, hi_of, cones;
  bool boxes = false;
  std::vector<bool> in_cone(p.size(), false);
  for (const Cone& c : p.cones) {
    std::string rows;
    for (int k = 0; k < c.size; ++k) {
      in_cone[c.first + k] = true;
      rows += fmt::format("{}{}", k > 0 ? ", " : "", row_of(c.first + k));
    }
    cones += fmt::format("{}\n    {{\"rows\": [{}], \"mu\": {}}}", cones.empty() ? "" : ",", rows,
                         decimal(c.mu));
  }
  for (int i = 0; i < p.size(); ++i) {
    // unused bounds are written as the default
    if (in_cone[i] || p.bound_by[i] >= 0 || p.is_free(i)) lo[i] = 0, hi[i] = kInfinity;
    if (in_cone[i]) continue;
    if (p.bound_by[i] >= 0)
      hi_of += fmt::format("{}[{}, {}, {}]", hi_of.empty() ? "" : ", ", row_of(i),
                           row_of(p.bound_by[i]), decimal(p.mu[i]));
    else if (p.is_free(i))
      free += fmt::format("{}{}", free.empty() ? "" : ", ", row_of(i));
    boxes |= lo[i] != 0 || hi[i] != kInfinity;
  }
  std::string out = fmt::format("{{\n  \"kind\": \"{}\",\n", name(p.kind()));
  if (!file.note.empty())
    out += fmt::format("  \"note\": {},\n",
                       Json(file.note).dump(-1, ' ', false, Json::error_handler_t::replace));
  out += fmt::format("  \"n\": {},\n  \"A\": {},\n  \"b\": {}", p.size(), matrix_text(file),
                     decimals(in_file_order(file, p.b)));
  if (boxes)
    out += fmt::format(",\n  \"lo\": {},\n  \"hi\": {}", bounds(in_file_order(file, lo)),
                       bounds(in_file_order(file, hi)));
  if (!free.empty()) out += ",\n  \"free\": [" + free + "]";
  if (!hi_of.empty()) out += ",\n  \"hi_of\": [" + hi_of + "]";
  if (!cones.empty()) out += ",\n  \"cones\": [" + cones + "]";
  return out + "\n}\n";
}

void check_problem_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    throw FileError(file.string() + ": there is no such file");
  if (std::filesystem::is_directory(file, ignored))
    throw FileError(file.string() + ": is a folder; name files, such as " + file.string() +
                    "/*.json");
}

ProblemFile read_json_problem(const std::filesystem::path& file) {
  check_problem_file(file);
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf()))
    throw FileError(fmt::format("{}: cannot be read{}", file.string(),
                                in ? ": it is empty" : fmt::format(": {}", std::strerror(errno))));
  return parse_problem(text.str(), file.string());
}

void write_json_problem(const std::filesystem::path& file, const ProblemFile& problem) {
  write_file(file, problem_text(problem));
}

}  // namespace abut
