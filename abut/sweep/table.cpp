#include "abut/sweep/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "abut/math/hash.h"
#include "abut/math/hdf5/hdf5_handle.h"
#include "abut/math/output_file.h"
#include "abut/version.h"

namespace abut {

using hdf5::check;
using hdf5::Handle;

namespace {

// In quotes where it has to be; never with a line end.
std::string csv_cell(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  if (text.find_first_of(",\"") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::optional<double> number_in(const std::string& cell) {
  double x = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), x);
  if (error != std::errc() || end != cell.data() + cell.size()) return {};
  return x;
}

void write_column(hid_t group, const std::string& name, hid_t type, const void* data,
                  std::size_t rows) {
  const hsize_t size = rows;
  const Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose, name);
  const Handle set(
      H5Dcreate2(group, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose,
      name);
  if (rows > 0) check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data), name);
}

Handle variable_text() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "text type");
  check(H5Tset_size(type, H5T_VARIABLE), "text type");
  check(H5Tset_cset(type, H5T_CSET_UTF8), "text type");
  return type;
}

void write_cells(hid_t group, const std::string& name, const std::vector<std::string>& cells) {
  if (name == "seed") {  // 64 bits do not fit into a double
    std::vector<std::uint64_t> x;
    for (const std::string& cell : cells) x.push_back(std::stoull(cell));
    return write_column(group, name, H5T_NATIVE_UINT64, x.data(), x.size());
  }
  std::vector<double> numbers;
  bool any = false, all = true;
  for (const std::string& cell : cells) {
    const std::optional<double> x = number_in(cell);
    any |= x.has_value(), all &= x.has_value() || cell.empty();
    numbers.push_back(x.value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  if (any && all && name != "hash")
    return write_column(group, name, H5T_NATIVE_DOUBLE, numbers.data(), numbers.size());
  std::vector<const char*> texts;
  for (const std::string& cell : cells) texts.push_back(cell.c_str());
  write_column(group, name, variable_text(), texts.data(), texts.size());
}

void write_note(hid_t file, const char* name, const std::string& text) {
  const Handle type = variable_text(), space(H5Screate(H5S_SCALAR), H5Sclose, name);
  const Handle a(H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose, name);
  const char* pointer = text.c_str();
  check(H5Awrite(a, type, &pointer), name);
}

}  // namespace

std::string csv_header(const std::vector<std::string>& columns) {
  std::string line;
  for (const std::string& c : columns) line += (line.empty() ? "" : ",") + csv_cell(c);
  return line;
}

std::string csv_line(const SweepRow& row, std::size_t measures) {
  std::string line = fmt::format("{},{}", row.run, row.seed);
  for (const std::string& value : row.values) line += "," + csv_cell(value);
  for (std::size_t i = 0; i < measures; ++i) {
    const bool known = i < row.measures.size() && std::isfinite(row.measures[i]);
    line += "," + (known ? number_text(row.measures[i]) : std::string());
  }
  line += row.status == "done" ? fmt::format(",{:016x}", row.hash) : ",";
  return line + "," + row.status + "," + csv_cell(row.reason);
}

std::vector<std::string> csv_cells(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (line[i] == '"')
      quoted = !quoted;
    else if (line[i] == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += line[i];
  }
  return cells;
}

std::int64_t run_of_line(const std::string& line) {
  std::int64_t run = -1;
  std::from_chars(line.data(), line.data() + line.size(), run);
  return run;
}

bool is_done(const std::string& line) {
  const std::vector<std::string> cells = csv_cells(line);
  return cells.size() > 1 && cells[cells.size() - 2] == "done";
}

void write_table_csv(const std::filesystem::path& file, const std::vector<std::string>& columns,
                     const std::vector<std::string>& lines) {
  std::string text = csv_header(columns) + "\n";
  for (const std::string& line : lines) text += line + "\n";
  write_file(file, text);
}

void write_table_h5(const std::filesystem::path& file, const std::vector<std::string>& columns,
                    const std::vector<std::string>& lines, const SweepPlan& plan) {
  std::vector<std::vector<std::string>> cells(columns.size());
  for (const std::string& line : lines) {
    std::vector<std::string> row = csv_cells(line);
    for (std::size_t c = 0; c < columns.size(); ++c)
      cells[c].push_back(c < row.size() ? std::move(row[c]) : std::string());
  }
  OutputFile out(file);
  {
    const hdf5::Session session;
    const Handle h5(H5Fcreate(out.name_to_open().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
                    H5Fclose, file.string());
    write_note(h5, "abut_version", std::string(version()));
    write_note(h5, "world", plan.world);
    write_note(h5, "hash", fmt::format("{:016x}", table_hash(columns, lines)));
    const Handle group(H5Gcreate2(h5, "table", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose,
                       file.string());
    for (std::size_t c = 0; c < columns.size(); ++c) write_cells(group, columns[c], cells[c]);
  }
  out.close();
}

std::uint64_t table_hash(const std::vector<std::string>& columns,
                         const std::vector<std::string>& lines) {
  Hash h;
  h.text(csv_header(columns));
  for (const std::string& line : lines) h.text(line);
  return h.digest();
}

}  // namespace abut
