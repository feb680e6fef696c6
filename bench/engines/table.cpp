#include "table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

namespace {

constexpr const char* kColumns =
    "scene,engine,method,threads,steps,asked,falling_ms,settled_ms,falling_to_bullet,"
    "settled_to_bullet,mean_m,max_m,drift_m,kinetic_J,joint_m,energy_J,hash,note";
constexpr std::size_t kCount = 18;

// Numbers in the order of the columns, between the method and the note.
std::vector<std::string ResultRow::*> words() {
  return {&ResultRow::falling_ms, &ResultRow::settled_ms, &ResultRow::ratio_falling,
          &ResultRow::ratio,      &ResultRow::mean,       &ResultRow::most,
          &ResultRow::drift,      &ResultRow::kinetic,    &ResultRow::joint,
          &ResultRow::energy,     &ResultRow::hash};
}

ResultRow parse(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream in(line);
  for (std::string cell; std::getline(in, cell, ',');) cells.push_back(cell);
  if (cells.size() + 1 == kCount) cells.emplace_back();  // an empty note
  if (cells.size() != kCount) throw std::runtime_error("not a row of results: " + line);
  ResultRow row{.scene = cells[0],
                .engine = cells[1],
                .method = cells[2],
                .threads = std::stoi(cells[3]),
                .steps = std::stoi(cells[4]),
                .asked = std::stoi(cells[5]),
                .note = cells.back()};
  std::size_t at = 6;
  for (const auto member : words()) row.*member = cells[at++];
  return row;
}

std::string line_of(const ResultRow& row) {
  std::string s = fmt::format("{},{},{},{},{},{}", row.scene, row.engine, row.method, row.threads,
                              row.steps, row.asked);
  for (const auto member : words()) s += "," + row.*member;
  std::string note = row.note;
  std::replace(note.begin(), note.end(), ',', ';');
  return s + "," + note;
}

}  // namespace

std::string ResultRow::name() const {
  return fmt::format("{} {}{}", engine, method,
                     threads > 1 ? fmt::format(" {} threads", threads) : "");
}

ResultTable::ResultTable(std::filesystem::path file) : file_(std::move(file)) {
  std::ifstream in(file_);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#"))
      heading_ = line.substr(2);
    else if (!line.empty() && line != kColumns)
      rows_.push_back(parse(line));
  }
}

void ResultTable::drop_scene(const std::string& scene) {
  std::erase_if(rows_, [&](const ResultRow& row) { return row.scene == scene; });
}

void ResultTable::add(const ResultRow& row) {
  rows_.push_back(row);
  write();
}

void ResultTable::write() const {
  std::ofstream out(file_);
  out << "# " << heading_ << "\n" << kColumns << "\n";
  for (const ResultRow& row : rows_) out << line_of(row) << "\n";
  if (!out) throw std::runtime_error("can't write " + file_.string());
}

double growth(const std::vector<ResultRow>& rows, const std::string& kind,
              const std::string& name) {
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (const ResultRow& row : rows) {
    if (!row.scene.starts_with(kind + " ") || row.name() != name || row.settled_ms.empty())
      continue;
    const double x = std::log(std::stod(row.scene.substr(kind.size()))),
                 y = std::log(std::stod(row.settled_ms));
    n += 1, sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  const double spread = n * sxx - sx * sx;
  return n > 1 && spread > 0 ? (n * sxy - sx * sy) / spread
                             : std::numeric_limits<double>::quiet_NaN();
}
