// A recording's claim on its file, where HDF5 alone falls short: nobody else writes to it, and
// the disk has room for what comes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "abut/math/output_file.h"
#include "abut/simulate/record/record_settings.h"

namespace abut {

// Thrown before anything is written that would not fit; the file is as it was.
class DiskFull : public RecordError {
 public:
  using RecordError::RecordError;
};

// HDF5 gives up its lock on a file once readers may come (SWMR), and it empties an old file
// before it looks whether somebody has it open. So it gets a new file, which takes the name when
// readers may come. A write that fails in HDF5 1.10 leaves a file that cannot be opened and a
// process that crashes at its end, so none may fail for want of room.
class FileClaim {
 public:
  // Throws RecordError if a file of that name cannot be written, or is open elsewhere.
  explicit FileClaim(const std::filesystem::path& file);
  ~FileClaim();
  FileClaim(const FileClaim&) = delete;
  FileClaim& operator=(const FileClaim&) = delete;

  // What HDF5 is to open.
  std::string name_to_open() const { return file_.name_to_open(); }

  // From now on the file has its name and counts as being recorded. To be called when HDF5 has
  // given up its own lock: on NFS the two would meet.
  void hold();
  // All is written: throws RecordError if it may not be on the disk.
  void close() { file_.close(); }

  // Takes room on the disk up to this length of the file, whose length does not change.
  void reserve(std::uint64_t length);
  // To be called when all is written up to the file's length: gives back the room behind it,
  // which a flush of HDF5 does unasked.
  void trim();

 private:
  std::string name_;
  OutputFile file_;
  int old_ = -1;  // the file that has the name until then
  std::uint64_t reserved_ = 0;
};

}  // namespace abut
