// Wavefront OBJ: points and faces; normals, textures and materials are skipped.
#include <fmt/format.h>

#include "abut/load/mesh/mesh_file.h"
#include "abut/load/mesh/text_scanner.h"

namespace abut {
namespace {

// The vertex of "7", "7/1", "7//2" or "-1" (the last one so far).
int vertex_index(TextScanner& in, std::string_view word, std::size_t vertices) {
  int index = 0;
  const std::string_view digits = word.substr(0, word.find('/'));
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  const int count = static_cast<int>(vertices);
  if (status == std::errc{} && end == digits.data() + digits.size()) {
    if (index > 0 && index <= count) return index - 1;
    if (index < 0 && index >= -count) return count + index;
  }
  in.fail(fmt::format("a face names the vertex '{}', but there are {}; repair the file",
                      word.substr(0, 40), vertices));
}

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

// Cuts one ear after another off a polygon in space, seen along its normal. What is
// left when no ear is found (a polygon that crosses itself) is cut as a fan.
void cut_ears(const std::vector<Vec3>& vertices, std::vector<int> polygon,
              std::vector<std::array<int, 3>>& faces) {
  Vec3 normal = Vec3::Zero();
  for (std::size_t i = 0; i < polygon.size(); ++i)
    normal += vertices[static_cast<std::size_t>(polygon[i])].cross(
        vertices[static_cast<std::size_t>(polygon[(i + 1) % polygon.size()])]);
  int axis = 0;
  normal.cwiseAbs().maxCoeff(&axis);
  const double sign = normal[axis] < 0 ? -1 : 1;
  const auto flat = [&](int v) {
    const Vec3& p = vertices[static_cast<std::size_t>(v)];
    return Vec2(p[(axis + 1) % 3], sign * p[(axis + 2) % 3]);
  };
  const auto is_ear = [&](std::size_t i) {
    const std::size_t n = polygon.size();
    const int ia = polygon[(i + n - 1) % n], ib = polygon[i], ic = polygon[(i + 1) % n];
    const Vec2 a = flat(ia), b = flat(ib), c = flat(ic);
    if (cross(b - a, c - b) <= 0) return false;
    for (int v : polygon) {
      if (v == ia || v == ib || v == ic) continue;
      const Vec2 p = flat(v);
      if (cross(b - a, p - a) >= 0 && cross(c - b, p - b) >= 0 && cross(a - c, p - c) >= 0)
        return false;
    }
    return true;
  };
  std::size_t ear = 0;  // goes round, so that a polygon is searched but a few times
  while (polygon.size() > 3) {
    const std::size_t n = polygon.size();
    std::size_t tried = 0;
    for (ear %= n; tried < n && !is_ear(ear); ++tried) ear = (ear + 1) % n;
    if (tried == n) break;
    faces.push_back({polygon[(ear + n - 1) % n], polygon[ear], polygon[(ear + 1) % n]});
    polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  for (std::size_t i = 2; i < polygon.size(); ++i)
    faces.push_back({polygon[0], polygon[i - 1], polygon[i]});
}

void add_polygon(const std::vector<Vec3>& vertices, const std::vector<int>& p,
                 std::vector<std::array<int, 3>>& faces) {
  if (p.size() == 3) {
    faces.push_back({p[0], p[1], p[2]});
  } else if (p.size() == 4) {
    // along the shorter diagonal, which is what MuJoCo's reader takes: a quad need not be flat
    const auto at = [&](int i) {
      return vertices[static_cast<std::size_t>(p[static_cast<std::size_t>(i)])];
    };
    const bool first = (at(2) - at(0)).squaredNorm() < (at(3) - at(1)).squaredNorm();
    if (first) {
      faces.push_back({p[0], p[1], p[2]});
      faces.push_back({p[0], p[2], p[3]});
    } else {
      faces.push_back({p[0], p[1], p[3]});
      faces.push_back({p[1], p[2], p[3]});
    }
  } else {
    cut_ears(vertices, p, faces);
  }
}

void keep_used_vertices(TriangleMesh& mesh) {
  std::vector<int> place(mesh.vertices.size(), -1);
  std::vector<Vec3> used;
  for (auto& triangle : mesh.triangles)
    for (int& v : triangle) {
      int& to = place[static_cast<std::size_t>(v)];
      if (to < 0) {
        to = static_cast<int>(used.size());
        used.push_back(mesh.vertices[static_cast<std::size_t>(v)]);
      }
      v = to;
    }
  mesh.vertices = std::move(used);
}

}  // namespace

TriangleMesh read_obj(std::string_view bytes, const std::string& name, ObjObjects objects) {
  TriangleMesh mesh;
  TextScanner in(bytes, name);
  std::vector<int> polygon;
  constexpr std::size_t kMostCorners = 1000;  // cutting ears takes the cube of it at worst
  do {
    const std::string_view key = in.word();
    const bool begins_object = key == "o" || key == "g";
    if (begins_object && !mesh.triangles.empty() && objects == ObjObjects::first) {
      keep_used_vertices(mesh);
      return mesh;
    }
    if (key == "v") {
      const double x = in.number(), y = in.number(), z = in.number();
      mesh.vertices.emplace_back(x, y, z);
    } else if (key == "f") {
      polygon.clear();
      for (std::string_view w = in.word(); !w.empty(); w = in.word())
        polygon.push_back(vertex_index(in, w, mesh.vertices.size()));
      if (polygon.size() < 3) in.fail("a face has fewer than three corners; repair the file");
      if (polygon.size() > kMostCorners)
        in.fail("a face has too many corners; cut it into triangles");
      add_polygon(mesh.vertices, polygon, mesh.triangles);
    }
  } while (in.next_line());
  return mesh;
}

}  // namespace abut
