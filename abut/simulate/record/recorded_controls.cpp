#include "abut/simulate/record/recorded_controls.h"

#include "abut/simulate/record/recording.h"

namespace abut {

namespace {

// A row of a recording has the controls of the step that led to it: they hold from the row before.
CsvTable recorded(const std::filesystem::path& file) {
  const Recording recording(file);
  CsvTable table;
  table.file = file.string();
  table.columns = recording.actuator_names();
  const std::size_t width = table.columns.size();
  table.columns.insert(table.columns.begin(), "t");
  if (width == 0) throw WorldError(table.file + ": the recorded world has no actuators");
  const std::vector<double> time = recording.read("time"), ctrl = recording.read("ctrl");
  for (std::size_t row = 1; row < time.size(); ++row) {
    std::vector<double>& numbers = table.rows.emplace_back();
    numbers.push_back(time[row - 1]);
    for (std::size_t i = 0; i < width; ++i) numbers.push_back(ctrl[row * width + i]);
    table.lines.push_back(static_cast<int>(row));
  }
  return table;
}

}  // namespace

CsvTable read_controls(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  return ending == ".h5" || ending == ".hdf5" ? recorded(file) : read_csv(file);
}

}  // namespace abut
