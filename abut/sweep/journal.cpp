#include "abut/sweep/journal.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "abut/math/hash.h"
#include "abut/sweep/table.h"

namespace abut {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashDigits = 16;

std::string hash_of_line(const std::string& line) {
  Hash h;
  h.text(line);
  return fmt::format("{:016x}", h.digest());
}

fs::path parts_of(const fs::path& folder) { return folder / "parts"; }

std::vector<fs::path> part_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(parts_of(folder), ignored))
    if (entry.path().extension() == ".rows") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

SweepJournal::SweepJournal(const SweepPlan& plan, fs::path folder, std::string label, bool resume)
    : folder_(std::move(folder)),
      label_(std::move(label)),
      first_(fmt::format("abut sweep {:016x}", plan.digest)) {
  if (!resume && !part_files(folder_).empty())
    throw SweepError(
        folder_.string() +
        ": has rows of a sweep; --resume makes those that are missing, or name another "
        "folder");
  refresh();
}

void SweepJournal::refresh() {
  for (const fs::path& file : part_files(folder_)) read(file);
}

void SweepJournal::read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string line;
  if (!std::getline(in, line)) return;
  if (line != first_)
    throw SweepError(
        file.string() +
        ": is of another sweep: its file, the world or the version of abut have changed; "
        "name another folder");
  while (std::getline(in, line)) {
    if (line.size() <= kHashDigits + 1) continue;
    std::string row = line.substr(kHashDigits + 1);
    if (line.compare(0, kHashDigits, hash_of_line(row)) != 0) continue;  // cut short
    lines_.try_emplace(run_of_line(row), std::move(row));
  }
}

void SweepJournal::add(std::int64_t run, const std::string& line) {
  if (!out_) {
    make_output_folder(parts_of(folder_), "--out");
    fs::path file;
    for (int i = 0; file.empty() || fs::exists(file); ++i)
      file = parts_of(folder_) / fmt::format("{}-{}.rows", label_, i);
    out_ = std::make_unique<OutputFile>(file);
    out_->write(first_ + "\n");
    out_->publish();
  }
  if (!lines_.try_emplace(run, line).second) return;
  out_->write(fmt::format("{} {}\n", hash_of_line(line), line));
}

}  // namespace abut
