// The measures of a run as a table for people's own plots: one row a measured step.
//
//   abut::MeasuresCsv table("measures.csv");
//   table.row(step, state, measure.record(state, input));
//   table.close();
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>

#include "abut/model/state.h"
#include "abut/simulate/measure.h"

namespace abut {

class MeasuresCsv {
 public:
  explicit MeasuresCsv(const std::filesystem::path& file);  // RecordError if it cannot be written
  ~MeasuresCsv();
  MeasuresCsv(const MeasuresCsv&) = delete;
  MeasuresCsv& operator=(const MeasuresCsv&) = delete;

  void row(std::int64_t step, const State& state, const Sample& sample);
  void close();  // RecordError if a row could not be written

 private:
  std::filesystem::path path_;
  std::FILE* file_ = nullptr;
};

}  // namespace abut
