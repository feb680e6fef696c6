// What a recording is asked to be, and what is thrown when it can't.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "abut/math/file_error.h"
#include "abut/model/model.h"

namespace abut {

// Thrown when a recording cannot be made, written or read.
using RecordError = FileError;

// Of the layout of recordings; raised when a reader of the version before would go wrong. Readers
// read their own version and the older ones (docs/compatibility.md).
inline constexpr int kRecordVersion = 2;

struct RecordSettings {
  int every = 1;           // noted in the file: record() is called after every n-th step
  double start_time = 0;   // s; noted: time of the first state
  double flush_every = 1;  // s of wall clock; what a kill may lose
  int deflate = 0;         // 0: off, 1 .. 9: compression level
  bool contacts = true;    // record the forces of contacts
  std::optional<Integrator> integrator;  // noted: that ran, if it is not the model's
  std::vector<std::pair<std::string, std::string>> notes;  // further attributes of /settings
};

}  // namespace abut
