// Feature: which part of a solid touches: a vertex, an edge, a face, or a place on a
// curved surface. The half-space of a plane has one face, number 0.
//
//   abut::Feature corner{abut::FeatureKind::vertex, 3};
#pragma once

#include <cstdint>

namespace abut {

enum class FeatureKind : std::uint8_t { none, vertex, edge, face, surface };

struct Feature {
  FeatureKind kind = FeatureKind::none;
  std::int32_t index = -1;

  bool operator==(const Feature&) const = default;
};

// "vertex", "edge", ...
const char* name(FeatureKind kind);

// In 32 bits, as contact memory keeps it: the kind in the upper four. No solid has 2^28
// features of a kind.
inline std::int32_t packed(const Feature& f) {
  return f.kind == FeatureKind::none ? -1 : static_cast<std::int32_t>(f.kind) << 28 | f.index;
}
inline Feature unpacked_feature(std::int32_t bits) {
  if (bits < 0) return {};
  return {static_cast<FeatureKind>(bits >> 28), bits & 0x0fffffff};
}

// A contact point's name, the same from step to step while the same features make it:
// feature of A in the upper half, of B in the lower.
inline std::uint64_t point_id(const Feature& a, const Feature& b) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(packed(a))) << 32 |
         static_cast<std::uint32_t>(packed(b));
}

}  // namespace abut
