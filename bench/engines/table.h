// The results of the race: rows of a CSV file, which several runs fill.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

struct ResultRow {
  std::string scene = {}, engine = {}, method = {};
  int threads = 1, steps = 0, asked = 0;
  // Empty where there is none: an engine that was cut off has neither settled nor drifted.
  std::string falling_ms = {}, settled_ms = {}, ratio_falling = {}, ratio = {}, mean = {},
              most = {}, drift = {}, kinetic = {}, joint = {}, energy = {}, hash = {};
  std::string note = {};  // why there are no figures, or fewer

  std::string name() const;  // engine, method and threads
};

class ResultTable {
 public:
  // What `file` has, if it is there.
  explicit ResultTable(std::filesystem::path file);

  // `heading`: processor, compiler, settings.
  void set_heading(std::string heading) { heading_ = std::move(heading); }
  void drop_scene(const std::string& scene);
  void add(const ResultRow& row);  // and writes the file
  const std::vector<ResultRow>& rows() const { return rows_; }

 private:
  void write() const;

  std::filesystem::path file_;
  std::string heading_;
  std::vector<ResultRow> rows_;
};

// How settled ms a step grow with N over the scenes `kind` N of an engine, as N to this power: least
// squares of the logarithms. NaN for fewer than two sizes.
double growth(const std::vector<ResultRow>& rows, const std::string& kind, const std::string& name);
