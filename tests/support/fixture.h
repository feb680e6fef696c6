// Numbers that MuJoCo computed for a world (tests/oracle/README.md), and the comparison
// of ours with them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "abut/model/state.h"

namespace abut::test {

using Json = nlohmann::json;

inline Json read_json(const std::filesystem::path& file) {
  std::ifstream in(file);
  return Json::parse(in);
}

inline std::vector<double> numbers(const Json& j) { return j.get<std::vector<double>>(); }

// max|x - y| / max(1, max|y|), the measure of every comparison here.
inline double relative_error(const std::vector<double>& x, const std::vector<double>& y) {
  if (x.size() != y.size()) return std::numeric_limits<double>::infinity();
  double difference = 0, size = 1;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i])) return std::numeric_limits<double>::infinity();
    difference = std::max(difference, std::abs(x[i] - y[i]));
    size = std::max(size, std::abs(y[i]));
  }
  return difference / size;
}

// Quaternions wxyz one after the other, each with the sign that is nearer to the other's.
inline std::vector<double> align_quaternions(std::vector<double> x, const std::vector<double>& y) {
  for (std::size_t i = 0; i + 3 < x.size() && i + 3 < y.size(); i += 4) {
    double dot = 0;
    for (int k = 0; k < 4; ++k) dot += x[i + k] * y[i + k];
    if (dot < 0)
      for (int k = 0; k < 4; ++k) x[i + k] = -x[i + k];
  }
  return x;
}

// State and input of one entry of "states".
inline void read_state(const Json& entry, State& state, Input& input) {
  state.q = numbers(entry.at("q"));
  state.v = numbers(entry.at("v"));
  if (entry.contains("act")) state.act = numbers(entry.at("act"));
  if (entry.contains("ctrl")) input.ctrl = numbers(entry.at("ctrl"));
  if (entry.contains("mocap_pos"))
    for (std::size_t i = 0; i < input.mocap.size(); ++i) {
      const auto p = numbers(entry.at("mocap_pos")), q = numbers(entry.at("mocap_quat"));
      input.mocap[i] = {Vec3(p[3 * i], p[3 * i + 1], p[3 * i + 2]),
                        Quat(q[4 * i], q[4 * i + 1], q[4 * i + 2], q[4 * i + 3])};
    }
}

// All fixtures of a folder, sorted by name.
inline std::vector<std::filesystem::path> json_files(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// A name gtest accepts, from a file's.
inline std::string test_name(const std::filesystem::path& file) {
  std::string name = file.stem().string();
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
}

}  // namespace abut::test
