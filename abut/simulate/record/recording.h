// Reading a recording back: finished, still being written, or left by a killed run.
//
//   abut::Recording recording("out.h5");
//   std::vector<double> t = recording.read("time");
//   std::vector<double> q = recording.read("q", 10, 1);   // row 10: recording.width("q") numbers
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "abut/model/state.h"
#include "abut/simulate/record/record.h"

namespace abut {

class Recording {
 public:
  static constexpr std::int64_t kAll = std::numeric_limits<std::int64_t>::max();

  // Throws RecordError if the file is missing, no recording, or damaged.
  explicit Recording(const std::filesystem::path& file);
  ~Recording();
  Recording(Recording&&) noexcept;
  Recording& operator=(Recording&&) noexcept;

  // Rows that are whole; of a run that still goes on, those of the last refresh().
  std::int64_t rows() const;
  void refresh();
  std::string ended() const;  // done, stopped, diverged, unfinished; running: still, or killed

  std::vector<std::string> body_names() const;  // 0 is the world
  std::vector<std::string> geom_names() const;
  std::vector<std::string> joint_names() const;
  std::vector<std::string> actuator_names() const;
  std::vector<std::string> warnings() const;
  std::string setting(const std::string& name) const;    // text of /settings; "" if there is none
  double number_setting(const std::string& name) const;  // NaN if there is none

  // Numbers in a row of a dataset such as "q" or "measures/kinetic"; 0: there is none.
  std::int64_t width(const std::string& dataset) const;
  // Rows begin .. begin + count of a dataset, row after row; cut at rows().
  std::vector<double> read(const std::string& dataset, std::int64_t begin = 0,
                           std::int64_t count = kAll) const;
  std::vector<std::uint64_t> hashes(std::int64_t begin = 0, std::int64_t count = kAll) const;

  // The same of a dataset with a length of its own, such as "contacts/pair_force": all that the
  // rows begin .. begin + count have of it.
  std::vector<double> read_contacts(const std::string& dataset, std::int64_t begin = 0,
                                    std::int64_t count = kAll) const;

  // The whole state, and the pose of every body, at a row. The state must be one of the model
  // that was recorded. A run goes on from there as it did, bit for bit.
  void read_state(std::int64_t row, State& state) const;
  // Of the step that led to the row; none in the first, and in recordings without contacts.
  ContactForces contact_forces(std::int64_t row) const;
  std::vector<Pose> poses(std::int64_t row) const;

 private:
  void check_row(std::int64_t row) const;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace abut
