// SweepJournal: the rows of a sweep that are known, in a folder, safe against the end of any process.
//
// A process that makes runs has a file of its own in DIR/parts and adds a line to it as soon as a run is
// over, by one write. A line begins with its hash, so that one that is cut short is not read. What a
// killed process has written is there for --resume.
//
//   abut::SweepJournal journal(plan, "out", "local", true);
//   if (!journal.has(run)) journal.add(csv_line(row, n));
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "abut/math/output_file.h"
#include "abut/sweep/plan.h"

namespace abut {

class SweepJournal {
 public:
  // Reads what the folder has. `label`: of the file that add() makes. Throws SweepError if the folder
  // has rows and `resume` is false, or if they are of another sweep.
  SweepJournal(const SweepPlan& plan, std::filesystem::path folder, std::string label, bool resume);

  bool has(std::int64_t run) const { return lines_.contains(run); }
  std::int64_t count() const { return static_cast<std::int64_t>(lines_.size()); }
  const std::map<std::int64_t, std::string>& lines() const { return lines_; }  // by run
  void add(std::int64_t run, const std::string& line);
  // Reads what other processes have added.
  void refresh();

 private:
  void read(const std::filesystem::path& file);

  std::filesystem::path folder_;
  std::string label_, first_;  // first_: first line of every file
  std::map<std::int64_t, std::string> lines_;
  std::unique_ptr<OutputFile> out_;  // made with the first line
};

}  // namespace abut
