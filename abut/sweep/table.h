// The table of a sweep: a row a run, as CSV and HDF5. Cells of a run without measures are empty in
// CSV and NaN in HDF5.
//
// A line of the table is the unit in which workers hand over their rows: as soon as a line is known,
// nothing else of its run is needed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "abut/sweep/worker.h"

namespace abut {

// "run,seed,geom.ball.friction,..", and the line of a row, without line ends.
std::string csv_header(const std::vector<std::string>& columns);
std::string csv_line(const SweepRow& row, std::size_t measures);
// The cells of a line.
std::vector<std::string> csv_cells(const std::string& line);
// The run's number and status.
std::int64_t run_of_line(const std::string& line);
bool is_done(const std::string& line);

// `lines` by ascending runs. Columns whose cells are all numbers are numbers in HDF5, others text.
void write_table_csv(const std::filesystem::path& file, const std::vector<std::string>& columns,
                     const std::vector<std::string>& lines);
void write_table_h5(const std::filesystem::path& file, const std::vector<std::string>& columns,
                    const std::vector<std::string>& lines, const SweepPlan& plan);
// Of the header and all lines.
std::uint64_t table_hash(const std::vector<std::string>& columns,
                         const std::vector<std::string>& lines);

}  // namespace abut
