// A recording's claim on its file, where HDF5 alone falls short: nobody else writes to it, and
// the disk has room for what comes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "abut/simulate/record.h"

namespace abut {

// Thrown before anything is written that would not fit; the file is as it was.
class DiskFull : public RecordError {
 public:
  using RecordError::RecordError;
};

// HDF5 gives up its lock on a file once readers may come (SWMR), and it empties an old file
// before it looks whether somebody has it open. A write that fails in HDF5 1.10 leaves a file
// that cannot be opened and a process that crashes at its end, so none may fail for want of
// room.
class FileClaim {
 public:
  FileClaim() = default;
  // Makes the file if there is none. Throws RecordError if it cannot be written or is open
  // elsewhere: says which.
  explicit FileClaim(const std::filesystem::path& file);
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

  // From now on the file counts as being recorded. To be called when HDF5 has given up its own
  // lock: on NFS the two would meet.
  void hold();

  // Takes room on the disk up to this length of the file, whose length does not change.
  void reserve(std::uint64_t length);
  // To be called when all is written up to the file's length: gives back the room behind it,
  // which a flush of HDF5 does unasked.
  void trim();

 private:
  std::string name_;
  int descriptor_ = -1;
  std::uint64_t reserved_ = 0;
};

}  // namespace abut
