// Controls over time from a file: a table (CSV), or a recording whose controls are given again.
//
//   abut::ControlTable controls(model, abut::read_controls("out.h5"));
#pragma once

#include <filesystem>

#include "abut/simulate/outside.h"

namespace abut {

// .h5 and .hdf5: a recording; anything else: read_csv(). Throws WorldError and RecordError.
CsvTable read_controls(const std::filesystem::path& file);

}  // namespace abut
