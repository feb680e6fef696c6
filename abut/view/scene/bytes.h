// Bytes for the page: numbers in little-endian order, and base64 for bytes inside text.
//
//   abut::view::Bytes bytes;
//   bytes.u32(3).f32(0.5);
//   std::string text = abut::view::base64(bytes.str());
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "abut/math/types.h"

namespace abut::view {

// Every machine that abut is built for is little-endian, as the page's typed arrays are.
class Bytes {
 public:
  Bytes& u32(std::uint64_t x) { return raw(static_cast<std::uint32_t>(x)); }
  Bytes& f32(double x) { return raw(static_cast<float>(x)); }
  Bytes& f64(double x) { return raw(x); }
  Bytes& vec(const Vec3& v) { return f32(v.x()).f32(v.y()).f32(v.z()); }
  // x y z w, the order of the page's library
  Bytes& quat(const Quat& q) { return f32(q.x()).f32(q.y()).f32(q.z()).f32(q.w()); }
  Bytes& text(std::string_view bytes) { return out_.append(bytes), *this; }

  std::size_t size() const { return out_.size(); }
  void clear() { out_.clear(); }  // keeps the memory
  const std::string& str() const { return out_; }

 private:
  template <class T>
  Bytes& raw(T x) {
    char bytes[sizeof x];
    std::memcpy(bytes, &x, sizeof x);
    out_.append(bytes, sizeof x);
    return *this;
  }
  std::string out_;
};

std::string base64(std::string_view bytes);

}  // namespace abut::view
