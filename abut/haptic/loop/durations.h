// Durations: times of cycles, counted in classes of 1/64 of their size, from a nanosecond to a
// minute; so percentiles of any run take constant memory, and adding one allocates nothing.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "abut/haptic/tolerances.h"

namespace abut::haptic {

class Durations {
 public:
  Durations() : counts_(kClasses) {}

  void add(double seconds) {
    const auto ns = seconds > 0 ? static_cast<std::uint64_t>(seconds / kNanosecond) : 0;
    ++counts_[index(ns)];
    ++count_;
    sum_ += seconds;
    if (count_ == 1 || seconds > max_) max_ = seconds;
  }
  std::int64_t count() const { return count_; }
  double max() const { return max_; }  // s, exact
  double mean() const { return count_ > 0 ? sum_ / static_cast<double>(count_) : 0; }
  // s: no more than this in `part` of the cycles (0.999), within 1/64; the largest where there are
  // too few to tell.
  double percentile(double part) const {
    const auto wanted = static_cast<std::int64_t>(std::ceil(part * static_cast<double>(count_)));
    std::int64_t seen = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i)
      if ((seen += counts_[i]) >= wanted && seen > 0) return std::min(max_, upper(i));
    return max_;
  }

 private:
  static constexpr int kBits = 6, kOctaves = 36;
  static constexpr std::size_t kClasses = std::size_t{kOctaves} << kBits;

  // the first 64 ns one by one, then 64 classes an octave
  static std::size_t index(std::uint64_t ns) {
    const int octave = std::bit_width(ns >> kBits);
    const std::size_t i =
        octave == 0 ? ns
                    : (std::size_t(octave) << kBits) + ((ns >> (octave - 1)) & ((1u << kBits) - 1));
    return i < kClasses ? i : kClasses - 1;
  }
  static double upper(std::size_t i) {
    const std::size_t octave = i >> kBits, low = i & ((1u << kBits) - 1);
    if (octave == 0) return static_cast<double>(low + 1) * kNanosecond;
    return std::ldexp(static_cast<double>((1u << kBits) + low + 1), static_cast<int>(octave) - 1) *
           kNanosecond;
  }

  std::vector<std::int64_t> counts_;
  std::int64_t count_ = 0;
  double max_ = 0, sum_ = 0;
};

}  // namespace abut::haptic
