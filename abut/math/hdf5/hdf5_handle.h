// C++ wrappers for HDF5's C interface: ids that close themselves, errors as exceptions. Only the
// sources of recordings and problem files use them; no public header includes this file.
#pragma once

#include <hdf5.h>

#include <mutex>
#include <string>
#include <utility>

namespace abut::hdf5 {

// Every use of HDF5 happens inside a Session. It keeps HDF5 from printing its error stack to
// stderr, restores the caller's setting, and serialises our threads, because HDF5 may have been
// built without thread safety.
class Session {
 public:
  Session() : lock_(mutex()) {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Session() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

 private:
  static std::mutex& mutex();
  std::unique_lock<std::mutex> lock_;
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

// Why the last call failed: the message of the operating system if it caused the failure, else of
// HDF5.
std::string last_error();

// Throws FileError("<what>: <why>") when a call has failed.
[[noreturn]] void fail(const std::string& what);
template <class Result>
Result check(Result result, const std::string& what) {
  if (result < 0) fail(what);
  return result;
}

// Owns an id.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);

  Handle() = default;
  Handle(hid_t id, Close close, const std::string& what) : id_(check(id, what)), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }
  operator hid_t() const { return id_; }
  // Leaves the id open.
  void leak() { id_ = -1; }
  // Negative if closing fails; the id is released in any case.
  herr_t close() { return id_ < 0 ? 0 : close_(std::exchange(id_, -1)); }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

}  // namespace abut::hdf5
