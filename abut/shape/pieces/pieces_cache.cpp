#include "abut/shape/pieces/pieces_cache.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "abut/math/hash.h"
#include "abut/math/output_file.h"
#include "abut/shape/error.h"
#include "abut/shape/hull.h"

namespace abut {
namespace {

// Of the file and of the method: raised when either changes.
constexpr std::uint64_t kVersion = 1;
constexpr double kMagic = 0x61627574;  // "abut"

std::filesystem::path folder_in(const char* variable, const char* below) {
  const char* value = std::getenv(variable);
  if (value == nullptr || *value != '/') return {};  // by the standard, others are ignored
  return std::filesystem::path(value) / below / "abut" / "pieces";
}

std::uint64_t name_of(const TriangleMesh& mesh, const PiecesOptions& options) {
  Hash h;
  h.value(kVersion);
  h.value(options.error);
  h.value(static_cast<std::uint64_t>(options.most));
  h.value(static_cast<std::uint64_t>(mesh.vertices.size()));
  for (const Vec3& v : mesh.vertices) h.bytes(v.data(), sizeof(double) * 3);
  for (const std::array<int, 3>& t : mesh.triangles) h.bytes(t.data(), sizeof t);
  return h.digest();
}

// The corners of each piece; hulls are made of them, whether they were cut or read.
struct Corners {
  std::vector<std::vector<Vec3>> pieces;
  double error = 0;
};

double check_of(std::span<const double> numbers) {
  Hash h;
  h.bytes(numbers.data(), numbers.size_bytes());
  return static_cast<double>(h.digest() >> 12);  // whole in a double
}

std::string packed(const Corners& corners) {
  std::vector<double> out{kMagic, kVersion, corners.error,
                          static_cast<double>(corners.pieces.size())};
  for (const std::vector<Vec3>& piece : corners.pieces) {
    out.push_back(static_cast<double>(piece.size()));
    for (const Vec3& v : piece) out.insert(out.end(), {v.x(), v.y(), v.z()});
  }
  out.push_back(check_of(out));
  return {reinterpret_cast<const char*>(out.data()), out.size() * sizeof(double)};
}

std::optional<Corners> unpacked(const std::string& bytes) {
  std::vector<double> in(bytes.size() / sizeof(double));
  if (in.size() < 5 || in.size() * sizeof(double) != bytes.size()) return {};
  std::memcpy(in.data(), bytes.data(), bytes.size());
  const std::span<const double> body(in.data(), in.size() - 1);
  if (in.back() != check_of(body) || in[0] != kMagic || in[1] != kVersion) return {};
  Corners corners{{}, in[2]};
  std::size_t next = 4;
  for (double left = in[3]; left > 0; --left) {
    if (next >= body.size()) return {};
    const auto count = static_cast<std::size_t>(in[next++]);
    if (count > (body.size() - next) / 3) return {};
    std::vector<Vec3>& piece = corners.pieces.emplace_back();
    for (std::size_t i = 0; i < count; ++i, next += 3)
      piece.emplace_back(in[next], in[next + 1], in[next + 2]);
  }
  if (next != body.size()) return {};
  return corners;
}

std::optional<Corners> read(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return {};
  return unpacked({std::istreambuf_iterator<char>(in), {}});
}

void write(const std::filesystem::path& file, const Corners& corners) {
  try {
    std::filesystem::create_directories(file.parent_path());
    write_file(file, packed(corners));
  } catch (const std::exception&) {
    // a cache that cannot be written is none
  }
}

Pieces hulls_of(const Corners& corners) {
  Pieces pieces{{}, corners.error};
  for (const std::vector<Vec3>& piece : corners.pieces) pieces.solids.push_back(convex_hull(piece));
  return pieces;
}

}  // namespace

std::optional<std::filesystem::path> pieces_folder() {
  for (const std::filesystem::path& folder :
       {folder_in("XDG_CACHE_HOME", "."), folder_in("HOME", ".cache")})
    if (!folder.empty()) return folder.lexically_normal();
  return {};
}

Pieces cached_pieces(const TriangleMesh& mesh, const PiecesOptions& options, bool* from_cache) {
  std::filesystem::path file;
  if (const auto folder = pieces_folder())
    file = *folder / fmt::format("{:016x}.pieces", name_of(mesh, options));
  if (from_cache) *from_cache = false;
  if (!file.empty())
    if (const std::optional<Corners> known = read(file)) {
      try {
        Pieces pieces = hulls_of(*known);
        if (from_cache) *from_cache = true;
        return pieces;
      } catch (const ShapeError&) {
        // damaged after all
      }
    }
  Corners corners;
  const Pieces cut = cut_into_pieces(mesh, options);
  corners.error = cut.error;
  for (const Polyhedron& piece : cut.solids) corners.pieces.push_back(piece.vertices);
  if (!file.empty()) write(file, corners);
  return hulls_of(corners);
}

}  // namespace abut
