// Pairs of polyhedra and what is asked about them, as a binary file that every
// participant reads, so that all of them see the same bits. Knows nothing of abut: the
// peers' programs are built without it.
#pragma once

#include <array>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

using Point = std::array<double, 3>;

struct Solid {
  std::vector<Point> vertices;
  std::vector<std::int32_t> faces;  // corners counter-clockwise, each after their number
};

struct Placement {
  Point position;
  std::array<double, 4> quaternion;  // wxyz
};

struct Query {
  std::int32_t a = 0, b = 0;  // solids
  std::int32_t first = 1;     // of a path: nothing may be remembered from the last query
  std::int32_t padding = 0;
  Placement X_WA, X_WB;
};

// Queries of one kind on solids of one size.
struct QuerySet {
  std::string name;           // "cold distance"
  std::int32_t vertices = 0;  // of a solid
  std::int32_t apart = 1;     // 0: overlapping, 1: apart
  double motion = 0;          // between queries of a path, relative to the size; 0: cold
  std::vector<Query> queries;
};

struct Scene {
  std::vector<Solid> solids;
  std::vector<QuerySet> sets;
};

namespace scene_file {

constexpr std::uint64_t kMagic = 0x31706c6c6f437461;

// The same order for reading and writing: `field` does one number, `list` a vector.
struct Writer {
  std::ofstream out;
  template <typename T>
  void field(T& x) {
    out.write(reinterpret_cast<const char*>(&x), sizeof x);
  }
  std::uint64_t length(std::uint64_t n) {
    field(n);
    return n;
  }
};
struct Reader {
  std::ifstream in;
  template <typename T>
  void field(T& x) {
    in.read(reinterpret_cast<char*>(&x), sizeof x);
  }
  std::uint64_t length(std::uint64_t) {
    std::uint64_t n = 0;
    field(n);
    if (!in || n > 1u << 28) throw std::runtime_error("not a file of pairs");
    return n;
  }
};

template <typename Stream, typename List>
void list(Stream& s, List& values) {
  values.resize(s.length(values.size()));
  for (auto& value : values) s.field(value);
}

template <typename Stream>
void visit(Stream& s, Scene& scene) {
  std::uint64_t magic = kMagic;
  s.field(magic);
  if (magic != kMagic) throw std::runtime_error("not a file of pairs");
  scene.solids.resize(s.length(scene.solids.size()));
  for (Solid& solid : scene.solids) {
    list(s, solid.vertices);
    list(s, solid.faces);
  }
  scene.sets.resize(s.length(scene.sets.size()));
  for (QuerySet& set : scene.sets) {
    list(s, set.name);
    s.field(set.vertices);
    s.field(set.apart);
    s.field(set.motion);
    list(s, set.queries);
  }
}

}  // namespace scene_file

inline void write_scene(Scene& scene, const std::string& file) {
  scene_file::Writer writer{std::ofstream(file, std::ios::binary)};
  scene_file::visit(writer, scene);
  if (!writer.out) throw std::runtime_error(file + ": can't be written");
}

inline Scene read_scene(const std::string& file) {
  Scene scene;
  scene_file::Reader reader{std::ifstream(file, std::ios::binary)};
  if (!reader.in) throw std::runtime_error(file + ": can't be read");
  scene_file::visit(reader, scene);
  return scene;
}
