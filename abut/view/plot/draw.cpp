#include "abut/view/plot/draw.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/view/page/markup.h"

namespace abut::view {
namespace {

constexpr double kTitle = 26, kNote = 17, kMargin = 26;  // of the picture's own units
constexpr int kFewFaces = 60;     // beyond, a solid is drawn by its outline and creases
constexpr double kCrease = 0.94;  // cosine of the angle between the normals of two faces

const char* colour(Role role) {
  switch (role) {
    case Role::a:
      return "#0072b2";
    case Role::b:
      return "#d55e00";
    case Role::volume:
      return "#009e73";
    case Role::other:
      break;
  }
  return "#333333";
}

// World to paper: x right, y down, and the depth towards the eye.
struct Camera {
  Vec3 right, up, eye;
  Vec2 centre = Vec2::Zero();  // of what is seen, along right and up
  double scale = 1;            // paper units a metre
  Vec2 middle = Vec2::Zero();  // of the paper

  explicit Camera(const Vec3& towards_eye) {
    eye = towards_eye.normalized();
    right = Vec3::UnitZ().cross(eye);
    if (right.norm() < 1e-6) right = Vec3::UnitX();
    right.normalize();
    up = eye.cross(right);
  }
  Vec2 flat(const Vec3& p) const { return {right.dot(p), up.dot(p)}; }
  Vec2 operator()(const Vec3& p) const {
    const Vec2 f = scale * (flat(p) - centre);
    if (!f.allFinite()) return middle;
    return {middle.x() + f.x(), middle.y() - f.y()};
  }
};

template <class Visit>
void for_each_point(const Drawing& d, const Visit& visit) {
  for (const auto& s : d.solids)
    for (const Vec3& v : s.polyhedron.vertices) visit(v);
  for (const auto& s : d.sheets)
    for (const Vec3& v : s.loop) visit(v);
  for (const auto& a : d.arrows) visit(a.from), visit(a.to);
  for (const auto& p : d.dots) visit(p.at);
  for (const auto& loop : d.outlines)
    for (const Vec3& v : loop) visit(v);
}

Camera framed(const Drawing& d, double width, double height, double top, double bottom) {
  Camera camera(d.eye.allFinite() && d.eye.norm() > 0 ? d.eye : Vec3(1, -2, 1));
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for_each_point(d, [&](const Vec3& p) {
    if (!p.allFinite()) return;
    low = low.cwiseMin(camera.flat(p));
    high = high.cwiseMax(camera.flat(p));
  });
  const double w = width - 2 * kMargin, h = height - top - bottom - 2 * kMargin;
  camera.middle = {width / 2, top + (height - top - bottom) / 2};
  if (!(low.x() <= high.x())) return camera;
  camera.centre = 0.5 * (low + high);
  const Vec2 extent = (high - low).cwiseMax(1e-300);
  camera.scale = std::min(w / extent.x(), h / extent.y());
  return camera;
}

template <class Points>
std::string path(const Camera& camera, const Points& points, bool closed) {
  std::string d;
  for (const Vec3& p : points) {
    const Vec2 at = camera(p);
    d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? 'M' : 'L', at.x(), at.y());
  }
  return closed ? d + "Z" : d;
}

std::string text(const Vec2& at, const std::string& words, const char* fill,
                 const char* anchor = "start", double size = 14) {
  if (words.empty()) return "";
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\" font-size=\"{}\" text-anchor=\"{}\">{}</text>\n",
      at.x(), at.y(), fill, size, anchor, escape(words));
}

// The outline as seen: convex hull of the projected vertices, counter-clockwise.
std::vector<Vec3> outline(const Camera& camera, const Polyhedron& p) {
  std::vector<Vec3> points = p.vertices;
  auto x = [&](const Vec3& v) { return camera.right.dot(v); };
  auto y = [&](const Vec3& v) { return camera.up.dot(v); };
  std::sort(points.begin(), points.end(), [&](const Vec3& a, const Vec3& b) {
    return x(a) < x(b) || (x(a) == x(b) && y(a) < y(b));
  });
  std::vector<Vec3> hull;
  auto turns_left = [&](const Vec3& a, const Vec3& b, const Vec3& c) {
    return (x(b) - x(a)) * (y(c) - y(a)) - (y(b) - y(a)) * (x(c) - x(a)) > 0;
  };
  for (int side = 0; side < 2; ++side) {
    const std::size_t floor = hull.size() + 1;
    for (const Vec3& v : points) {
      while (hull.size() > floor && !turns_left(hull[hull.size() - 2], hull.back(), v))
        hull.pop_back();
      hull.push_back(v);
    }
    if (!hull.empty()) hull.pop_back();
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

struct Ink {
  const Camera& camera;
  std::string svg = {};

  bool faces_eye(const Polyhedron& p, int f) const {
    return p.faces[static_cast<std::size_t>(f)].eta.dot(camera.eye) > 1e-9;
  }
  void edges(const Drawing::Solid& s, bool hidden) {
    const Polyhedron& p = s.polyhedron;
    std::string d;
    for (const Polyhedron::Edge& e : p.edges) {
      const bool first = faces_eye(p, e.f1), second = faces_eye(p, e.f2);
      if ((first || second) == hidden) continue;
      const bool crease = p.faces[static_cast<std::size_t>(e.f1)].eta.dot(
                              p.faces[static_cast<std::size_t>(e.f2)].eta) < kCrease;
      if (p.face_count() > kFewFaces && first == second && !crease) continue;
      const Vec2 a = camera(p.vertices[static_cast<std::size_t>(e.tail)]);
      const Vec2 b = camera(p.vertices[static_cast<std::size_t>(e.head)]);
      d += fmt::format("M{:.1f} {:.1f}L{:.1f} {:.1f}", a.x(), a.y(), b.x(), b.y());
    }
    if (d.empty()) return;
    svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n", d,
                       colour(s.role), hidden ? 0.7 : 1.4,
                       hidden ? " stroke-dasharray=\"3 3\" stroke-opacity=\"0.55\"" : "");
  }
  void faces(const Drawing::Solid& s) {
    const Polyhedron& p = s.polyhedron;
    const bool strong = s.role == Role::volume;
    if (p.face_count() > kFewFaces) {
      svg +=
          fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"{}\"/>\n",
                      path(camera, outline(camera, p), true), colour(s.role), strong ? 0.6 : 0.18);
      return;
    }
    // light comes from above, over the left shoulder
    const Vec3 light = (camera.eye + 1.2 * camera.up - 0.6 * camera.right).normalized();
    for (int f = 0; f < p.face_count(); ++f) {
      if (!faces_eye(p, f)) continue;
      std::vector<Vec3> loop;
      for (const int v : p.face_loop(f)) loop.push_back(p.vertices[static_cast<std::size_t>(v)]);
      const double lit = 0.5 * (1 + p.faces[static_cast<std::size_t>(f)].eta.dot(light));
      svg += fmt::format("<path d=\"{}\" fill=\"{}\" fill-opacity=\"{:.2f}\"/>\n",
                         path(camera, loop, true), colour(s.role),
                         strong ? 0.75 - 0.35 * lit : 0.30 - 0.20 * lit);
    }
  }
  void name(const Drawing::Solid& s) {
    if (s.name.empty() || s.polyhedron.vertices.empty()) return;
    // beside the corner that is farthest from the middle of the picture
    Vec2 best = camera(s.polyhedron.vertices[0]);
    for (const Vec3& v : s.polyhedron.vertices)
      if ((camera(v) - camera.middle).norm() > (best - camera.middle).norm()) best = camera(v);
    const Vec2 away = (best - camera.middle).normalized();
    const Vec2 at = best + Vec2(8 * away.x(), 12 * away.y() + 4);
    svg += text(at, s.name, colour(s.role), away.x() < 0 ? "end" : "start");
  }
  void arrow(const Drawing::Arrow& a) {
    const Vec2 from = camera(a.from), to = camera(a.to);
    const double length = (to - from).norm();
    if (!(length > 1e-9)) return;
    const Vec2 along = (to - from) / length, side(-along.y(), along.x());
    const double head = std::min(10.0, 0.5 * length);
    const Vec2 neck = to - head * along, left = neck + 0.4 * head * side,
               right = neck - 0.4 * head * side;
    svg += fmt::format(
        "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"2\"/>\n"
        "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\" fill=\"{}\"/>\n",
        from.x(), from.y(), neck.x(), neck.y(), colour(a.role), to.x(), to.y(), left.x(), left.y(),
        right.x(), right.y(), colour(a.role));
    // the label is at the outer end of the arrow, inside the picture
    const bool at_tip = (to - camera.middle).norm() >= (from - camera.middle).norm();
    const Vec2 outward = at_tip ? along : Vec2(-along), end = at_tip ? to : from;
    const double room = 2 * camera.middle.x() - (end.x() + 9 * outward.x());
    const bool to_the_left = outward.x() < -0.3 || room < 7.5 * static_cast<double>(a.name.size());
    const Vec2 lift(0, std::abs(outward.x()) > 0.3 && to_the_left == (outward.x() > 0) ? -8 : 5);
    svg += text(end + 9 * outward + lift, a.name, colour(a.role), to_the_left ? "end" : "start");
  }
};

}  // namespace

std::string to_svg(const Drawing& drawing, double width, double height) {
  const double top = drawing.title.empty() ? 0 : kTitle;
  const double bottom = kNote * static_cast<double>(drawing.notes.size());
  const Camera camera = framed(drawing, width, height + bottom, top, bottom);
  const double tall = height + bottom;
  Ink ink{camera};

  // solids farther away are drawn first
  std::vector<const Drawing::Solid*> solids;
  for (const auto& s : drawing.solids) solids.push_back(&s);
  std::stable_sort(solids.begin(), solids.end(), [&](const auto* a, const auto* b) {
    const bool late_a = a->role == Role::volume, late_b = b->role == Role::volume;
    if (late_a != late_b) return late_b;
    return camera.eye.dot(a->polyhedron.center) < camera.eye.dot(b->polyhedron.center);
  });
  for (const auto& s : drawing.sheets)
    ink.svg += fmt::format(
        "<path d=\"{}\" fill=\"{}\" fill-opacity=\"0.12\" stroke=\"{}\" stroke-opacity=\"0.5\"/>\n",
        path(camera, s.loop, true), colour(s.role), colour(s.role));
  for (const auto* s : solids) ink.edges(*s, true);
  for (const auto* s : solids) {
    ink.faces(*s);
    ink.edges(*s, false);
  }
  for (const auto& loop : drawing.outlines)
    ink.svg += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"#111\" stroke-width=\"2\"/>\n",
                           path(camera, loop, loop.size() > 2));
  for (const auto& a : drawing.arrows) ink.arrow(a);
  for (const auto& p : drawing.dots) {
    const Vec2 at = camera(p.at);
    ink.svg += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.4\" fill=\"#111\" stroke=\"#fff\"/>\n", at.x(),
        at.y());
    ink.svg += text(at + Vec2(6, -6), p.name, "#111", "start", 12);
  }
  for (const auto* s : solids) ink.name(*s);
  for (const auto& s : drawing.sheets)
    if (!s.loop.empty()) ink.svg += text(camera(s.loop[0]) + Vec2(6, -4), s.name, colour(s.role));

  std::string head = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
      "height=\"{1:.0f}\" font-family=\"sans-serif\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
      width, tall);
  head += text({width / 2, 19}, drawing.title, "#111", "middle", 15);
  for (std::size_t i = 0; i < drawing.notes.size(); ++i)
    head += text({kMargin, tall - bottom + kNote * static_cast<double>(i) + 8}, drawing.notes[i],
                 "#444", "start", 12.5);
  return head + ink.svg + "</svg>\n";
}

}  // namespace abut::view
