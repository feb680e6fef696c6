// Feature: the part of a solid that touches: a vertex, an edge, a face, or a place on a curved
// surface. A half-space has one face, with index 0.
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

// A feature in 32 bits, for the contact memory: the kind in the upper four bits, the index below.
// No solid has 2^28 features of one kind.
inline std::int32_t packed(const Feature& f) {
  return f.kind == FeatureKind::none ? -1 : static_cast<std::int32_t>(f.kind) << 28 | f.index;
}
inline Feature unpacked_feature(std::int32_t bits) {
  if (bits < 0) return {};
  return {static_cast<FeatureKind>(bits >> 28), bits & 0x0fffffff};
}

// Identifier of a contact point. It stays the same from step to step while the same features make
// the point. The feature of A is in the upper half, the feature of B in the lower half.
inline std::uint64_t point_id(const Feature& a, const Feature& b) {
  return static_cast<std::uint64_t>(static_cast<std::uint32_t>(packed(a))) << 32 |
         static_cast<std::uint32_t>(packed(b));
}

}  // namespace abut
