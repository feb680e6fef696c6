// The HDF5 file of a recording, as docs/recording.md describes it: made, appended to, flushed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "abut/math/hdf5/hdf5_handle.h"
#include "abut/simulate/record/file_claim.h"
#include "abut/simulate/record/record_block.h"
#include "abut/simulate/record/record_settings.h"

namespace abut {

class RecordFile {
 public:
  ~RecordFile();
  RecordFile(const Model& model, const std::filesystem::path& file, const RecordSettings& settings,
             const std::vector<RecordColumn>& columns);

  // Throws DiskFull, and is as before, if there is no room for the block.
  void append(const RecordBlock& block);
  // Brings all that was appended to the operating system, then says so in `rows`: a reader
  // that believes `rows` never sees half a row.
  void flush();
  void close(std::string_view ended, const std::vector<std::string>& warnings);
  // A call of HDF5 has failed. The file then stays as of the last flush, like a killed run's,
  // and open: closing it would damage it.
  bool broken() const { return broken_; }

  std::int64_t flushed_rows() const { return static_cast<std::int64_t>(flushed_); }

 private:
  void work(const std::function<void()>& calls_of_hdf5);
  void create_columns(int deflate);
  void describe_model(const Model& model);
  void describe_settings(const Model& model, const RecordSettings& settings);
  void append_warnings(const std::vector<std::string>& warnings);
  hdf5::Handle make_dataset(const std::string& name, hid_t type, hid_t space, hid_t properties,
                            std::string_view units, std::string_view about);
  template <class Number>
  void table(const std::string& name, hid_t type, const std::vector<Number>& numbers, hsize_t width,
             std::string_view units, std::string_view about);
  void text_table(const std::string& name, const std::vector<std::string>& lines,
                  std::string_view about);

  std::string name_;  // for messages
  std::vector<RecordColumn> columns_;
  FileClaim claim_;
  hdf5::Handle file_, rows_dataset_, ended_dataset_, warnings_dataset_;
  std::vector<hdf5::Handle> datasets_;  // by column; none for those of no width
  bool broken_ = false;
  std::uint64_t room_for_chunks_ = 0;  // bytes that one chunk of each dataset takes
  std::uint64_t unflushed_bytes_ = 0;
  hsize_t rows_ = 0, flushed_ = 0, warnings_ = 0;
  std::vector<hsize_t> lengths_;  // of each dataset
};

}  // namespace abut
