// Warnings of a command: each is shown once, when it is first known, and kept for --json, reports
// and recordings.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "print.h"

namespace abut::tool {

class Warnings {
 public:
  // Begins with those of the model.
  Warnings(bool silent, std::vector<std::string> of_model) : silent_(silent) {
    add(std::move(of_model));
    of_model_ = lines_.size();
  }

  // An empty line is none.
  void add(std::string line) {
    if (line.empty()) return;
    if (std::find(lines_.begin(), lines_.end(), line) != lines_.end()) return;
    if (!silent_) print_safe(stderr, "warning: {}\n", line);
    lines_.push_back(std::move(line));
  }
  void add(std::vector<std::string> lines) {
    for (std::string& line : lines) add(std::move(line));
  }

  const std::vector<std::string>& lines() const { return lines_; }
  // Without those of the model.
  std::vector<std::string> of_run() const {
    return {lines_.begin() + static_cast<std::ptrdiff_t>(of_model_), lines_.end()};
  }

 private:
  bool silent_;
  std::size_t of_model_ = 0;
  std::vector<std::string> lines_;
};

}  // namespace abut::tool
