// A 64-bit hash of raw bytes (FNV-1a over 8-byte words, then a final mix): for
// comparing states bit for bit, not against an adversary. The same on every machine
// of one byte order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace abut {

class Hash {
 public:
  void bytes(const void* data, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(data);
    for (; size >= 8; p += 8, size -= 8) {
      std::uint64_t word;
      std::memcpy(&word, p, 8);
      add(word);
    }
    std::uint64_t tail = size;
    for (std::size_t i = 0; i < size; ++i) tail = (tail << 8) | p[i];
    add(tail);
  }
  void value(std::uint64_t x) { add(x); }
  void value(double x) { bytes(&x, sizeof x); }
  void text(std::string_view s) { bytes(s.data(), s.size()); }
  template <typename T>
  void array(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add(values.size());
    bytes(values.data(), values.size_bytes());
  }
  std::uint64_t digest() const {
    std::uint64_t x = state_;
    x ^= x >> 33;
    x *= 0xff51afd7ed558ccdULL;
    x ^= x >> 33;
    x *= 0xc4ceb9fe1a85ec53ULL;
    x ^= x >> 33;
    return x;
  }

 private:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001b3ULL;
    state_ ^= state_ >> 29;
  }
  std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace abut
