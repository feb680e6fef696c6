#include "abut/math/hdf5/hdf5_handle.h"

#include <cstdlib>

#include "abut/math/file_error.h"

namespace abut::hdf5 {

std::mutex& Session::mutex() {
  static std::mutex one;
  return one;
}

std::string last_error() {
  // the error stack runs from the cause to the call; errno, if set, is in the entry of the cause
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned depth, const H5E_error2_t* error, void* out) -> herr_t {
        std::string& all = *static_cast<std::string*>(out);
        if (depth == 0 && error->desc) all = error->desc;
        return 0;
      },
      &text);
  static constexpr std::string_view kSystem = "error message = '";
  if (const auto begin = text.find(kSystem); begin != std::string::npos) {
    const auto from = begin + kSystem.size();
    return text.substr(from, text.find('\'', from) - from);
  }
  return text.empty() ? "unknown error of HDF5" : text;
}

namespace {

// HDF5 may fail to release an object of a damaged file, and would report this on stderr when the
// program ends. HDF5 has registered its exit handler before, so this handler runs first.
void end_silently() {
  static const int once = std::atexit([] { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); });
  static_cast<void>(once);
}

}  // namespace

void fail(const std::string& what) {
  end_silently();
  throw FileError(what + ": " + last_error());
}

}  // namespace abut::hdf5
