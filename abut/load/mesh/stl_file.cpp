// STL, binary and text. Corners at the same place become one vertex.
#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "abut/load/mesh/mesh_file.h"
#include "abut/load/mesh/text_scanner.h"

namespace abut {
namespace {

constexpr std::size_t kHeader = 84, kFacet = 50, kNormal = 12;

// An open-addressed table from position to index: four times as fast as the standard
// map on the scans that robots are made of.
class VertexTable {
 public:
  VertexTable(std::vector<Vec3>& vertices, std::size_t corners)
      : vertices_(vertices), slots_(std::bit_ceil(2 * corners + 16), -1) {}

  int index(std::array<float, 3> p) {
    for (float& x : p) x += 0.0f;  // -0 is 0
    std::array<std::uint32_t, 3> bits{};
    std::memcpy(bits.data(), p.data(), sizeof bits);
    std::uint64_t hash = 0;
    for (std::uint32_t b : bits) hash = (hash ^ b) * 0x9E3779B97F4A7C15ull, hash ^= hash >> 29;
    const Vec3 v(p[0], p[1], p[2]);
    for (std::size_t slot = hash & (slots_.size() - 1);; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot] < 0) {
        slots_[slot] = static_cast<int>(vertices_.size());
        vertices_.push_back(v);
        return slots_[slot];
      }
      if (vertices_[static_cast<std::size_t>(slots_[slot])] == v) return slots_[slot];
    }
  }

 private:
  std::vector<Vec3>& vertices_;
  std::vector<int> slots_;
};

TriangleMesh read_binary(std::string_view bytes, const std::string& name, std::size_t facets) {
  TriangleMesh mesh;
  VertexTable table(mesh.vertices, 3 * facets);
  mesh.triangles.reserve(facets);
  for (std::size_t i = 0; i < facets; ++i) {
    std::array<std::array<float, 3>, 3> corners;
    std::memcpy(corners.data(), bytes.data() + kHeader + i * kFacet + kNormal, sizeof corners);
    std::array<int, 3>& face = mesh.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      for (float x : corners[k])
        if (!(std::abs(x) < 1e30f))
          throw WorldError(Source{std::make_shared<const std::string>(name), 0},
                           fmt::format("facet {} has a coordinate that is not a usable number", i));
      face[k] = table.index(corners[k]);
    }
  }
  return mesh;
}

TriangleMesh read_text(std::string_view bytes, const std::string& name) {
  TriangleMesh mesh;
  VertexTable table(mesh.vertices, bytes.size() / 20);  // "vertex x y z" is longer
  TextScanner in(bytes, name);
  std::vector<int> loop;
  bool ended = false;
  do {
    const std::string_view key = in.word();
    if (key == "vertex") {
      std::array<float, 3> p{};
      for (float& x : p) x = in.number();
      loop.push_back(table.index(p));
    } else if (key == "endloop") {
      if (loop.size() != 3)
        in.fail(fmt::format("a facet has {} corners; it must have three", loop.size()));
      mesh.triangles.push_back({loop[0], loop[1], loop[2]});
      loop.clear();
    } else if (key == "endsolid") {
      ended = true;
    }
  } while (in.next_line());
  if (!ended || !loop.empty() || mesh.triangles.empty())
    in.fail("the file is cut short, or has no facets; write it again");
  return mesh;
}

}  // namespace

TriangleMesh read_stl(std::string_view bytes, const std::string& name) {
  // a binary file may start with "solid" too: its size tells
  if (bytes.size() >= kHeader) {
    std::uint32_t facets = 0;
    std::memcpy(&facets, bytes.data() + kHeader - sizeof facets, sizeof facets);
    if (facets > 0 && bytes.size() == kHeader + kFacet * static_cast<std::size_t>(facets))
      return read_binary(bytes, name, facets);
  }
  if (bytes.find("facet") != bytes.npos) return read_text(bytes, name);
  throw WorldError(Source{std::make_shared<const std::string>(name), 0},
                   "neither a binary nor a text STL file, or cut short; write it again");
}

}  // namespace abut
