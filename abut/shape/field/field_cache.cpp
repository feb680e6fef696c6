#include "abut/shape/field/field_cache.h"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "abut/math/hash.h"
#include "abut/math/output_file.h"
#include "abut/shape/pieces/pieces_cache.h"

namespace abut {
namespace {

// Of the file and of the method: raised when either changes.
constexpr std::uint64_t kFieldVersion = 1;

std::filesystem::path file_of(const TriangleMesh& mesh, const MeshFieldOptions& options) {
  const auto pieces = pieces_folder();
  if (!pieces) return {};
  Hash h;
  h.value(kFieldVersion);
  h.value(options.error);
  h.value(options.area);
  h.value(static_cast<std::uint64_t>(mesh.vertices.size()));
  for (const Vec3& v : mesh.vertices) h.bytes(v.data(), sizeof(double) * 3);
  for (const std::array<int, 3>& t : mesh.triangles) h.bytes(t.data(), sizeof t);
  return pieces->parent_path() / "fields" / fmt::format("{:016x}.field", h.digest());
}

double sum_of(std::span<const double> numbers) {
  Hash h;
  h.bytes(numbers.data(), numbers.size_bytes());
  return static_cast<double>(h.digest() >> 12);  // whole in a double
}

std::optional<DistanceField> read_field(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return {};
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::vector<double> numbers(bytes.size() / sizeof(double));
  if (numbers.size() < 2 || numbers.size() * sizeof(double) != bytes.size()) return {};
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  const std::span<const double> body(numbers.data(), numbers.size() - 1);
  if (numbers.back() != sum_of(body)) return {};
  return DistanceField::from_numbers(body);
}

void write_field(const std::filesystem::path& file, const DistanceField& field) {
  try {
    std::vector<double> numbers = field.numbers();
    numbers.push_back(sum_of(numbers));
    std::filesystem::create_directories(file.parent_path());
    write_file(file,
               {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
  } catch (const std::exception&) {
    // a cache that cannot be written is none
  }
}

}  // namespace

MeshField cached_mesh_field(const TriangleMesh& mesh, const MeshFieldOptions& options,
                            bool* from_cache) {
  const std::filesystem::path file = file_of(mesh, options);
  std::optional<DistanceField> known;
  if (!file.empty()) known = read_field(file);
  if (from_cache) *from_cache = known.has_value();
  MeshField made = make_mesh_field(mesh, options, known ? &*known : nullptr);
  if (!known && !file.empty()) write_field(file, made.field);
  return made;
}

}  // namespace abut
