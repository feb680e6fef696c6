// The measures of a run as a CSV table: one row for each measured step.
//
//   abut::MeasuresCsv table("measures.csv");
//   abut::Measure measure(model);
//   table.row(step, state, measure.sample(state, input));
//   table.close();
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "abut/math/output_file.h"
#include "abut/model/state.h"
#include "abut/simulate/measure.h"

namespace abut {

class MeasuresCsv {
 public:
  // The table has its name from now on and can be read while the run goes on. All functions throw
  // FileError if it cannot be written; then it ends with a complete row.
  explicit MeasuresCsv(const std::filesystem::path& file);
  ~MeasuresCsv();

  void row(std::int64_t step, const State& state, const Sample& sample);
  void close();

 private:
  void flush();

  OutputFile file_;
  std::string rows_;  // not yet written
  bool failed_ = false;
};

}  // namespace abut
