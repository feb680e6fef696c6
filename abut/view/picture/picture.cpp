#include "abut/view/picture/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "abut/shape/primitives.h"
#include "abut/shape/triangle_mesh.h"
#include "abut/view/scene/scene.h"

namespace abut::view {

namespace {

constexpr int kFiner = 2;          // samples to a pixel, each way
constexpr double kCurves = 0.004;  // of the radius: tessellation of curved solids
constexpr double kAmbient = 0.42;
constexpr double kMargin = 1.15;  // of the scene's radius
constexpr int kMostPixels = 8192;

// Of Okabe and Ito, distinguishable by colour-blind readers.
constexpr std::array<std::array<double, 3>, 7> kBodyColours = {{{0.34, 0.61, 0.84},
                                                                {0.90, 0.62, 0.00},
                                                                {0.00, 0.62, 0.45},
                                                                {0.84, 0.37, 0.00},
                                                                {0.80, 0.47, 0.65},
                                                                {0.00, 0.45, 0.70},
                                                                {0.94, 0.89, 0.26}}};
constexpr std::array<double, 3> kStillColour = {0.70, 0.71, 0.73};

TriangleMesh fan(const Polyhedron& p) { return triangulated(p); }

TriangleMesh surface_of(const Model& model, const Geom& geom) {
  const Vec3& s = geom.shape.size;
  const auto asset = static_cast<std::size_t>(std::max(geom.shape.asset, 0));
  switch (geom.shape.kind) {
    case ShapeKind::box:
      return fan(box_polyhedron(s));
    case ShapeKind::sphere:
      return fan(sphere_polyhedron(s.x(), kCurves));
    case ShapeKind::capsule:
      return fan(capsule_polyhedron(s.x(), s.y(), kCurves));
    case ShapeKind::cylinder:
      return fan(cylinder_polyhedron(s.x(), s.y(), kCurves));
    case ShapeKind::ellipsoid:
      return fan(ellipsoid_polyhedron(s, kCurves));
    case ShapeKind::mesh:
      if (!model.assets.meshes[asset].triangles.empty()) return model.assets.meshes[asset];
      return fan(model.assets.hulls[asset]);
    case ShapeKind::hfield:
      return surface(model.assets.hfields[asset]);
    case ShapeKind::plane:
      break;
  }
  return {};
}

bool has_own_colour(const Geom& g) { return g.rgba != Geom().rgba; }

}  // namespace

// The camera: p_C = R (p_W - at), z towards the viewer's front.
struct Painter::Eye {
  Vec3 at;
  Mat3 R;  // rows: right, down, forward
  double focus;
  double near;
  Vec3 to_camera(const Vec3& p) const { return R * (p - at); }
};

Painter::Painter(const Model& model) : model_(model) {
  for (int g = 0; g < static_cast<int>(model.geoms.size()); ++g) {
    const Geom& geom = model.geoms[static_cast<std::size_t>(g)];
    if (geom.rgba[3] <= 0) continue;
    if (geom.shape.kind == ShapeKind::plane) {
      planes_.push_back(g);
      continue;
    }
    const Body& body = model.bodies[static_cast<std::size_t>(geom.body)];
    Mesh mesh;
    mesh.geom = g;
    if (has_own_colour(geom))
      mesh.colour = {geom.rgba[0], geom.rgba[1], geom.rgba[2]};
    else
      mesh.colour = body.link < 0 && body.mocap < 0
                        ? kStillColour
                        : kBodyColours[static_cast<std::size_t>(geom.body) % kBodyColours.size()];
    TriangleMesh surface = surface_of(model, geom);
    mesh.vertices = std::move(surface.vertices), mesh.triangles = std::move(surface.triangles);
    meshes_.push_back(std::move(mesh));
  }
}

void Painter::clear(const Eye& eye) {
  depth_.assign(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_),
                std::numeric_limits<float>::infinity());
  colour_.resize(depth_.size());
  // a sky that is darker above
  for (int y = 0; y < height_; ++y) {
    const Vec3 ray = eye.R.transpose() * Vec3(0, (y - 0.5 * height_) / eye.focus, 1);
    const auto up = static_cast<float>(std::clamp(ray.z() / ray.norm(), 0.0, 1.0));
    std::fill_n(colour_.begin() + static_cast<std::ptrdiff_t>(y) * width_, width_,
                std::array<float, 3>{0.96f - 0.35f * up, 0.97f - 0.25f * up, 0.985f - 0.12f * up});
  }
}

// A ground is cut by the ray of each pixel, so that it may be infinite.
void Painter::draw_grounds(const Derived& poses, const Eye& eye) {
  for (const int g : planes_) {
    const Pose X = geom_pose(model_, poses, g);
    const Vec3 n = X.q * Vec3::UnitZ();
    const double above = n.dot(eye.at - X.p);
    if (above <= 0) continue;
    const Geom& geom = model_.geoms[static_cast<std::size_t>(g)];
    // squares of a size that is a power of ten, about a tenth of the height of the eye
    const double square = std::pow(10.0, std::floor(std::log10(above)));
    for (int y = 0; y < height_; ++y)
      for (int x = 0; x < width_; ++x) {
        const Vec3 ray = eye.R.transpose() * Vec3((x + 0.5 - 0.5 * width_) / eye.focus,
                                                  (y + 0.5 - 0.5 * height_) / eye.focus, 1);
        const double down = -n.dot(ray);
        if (down <= 0) continue;
        const double t = above / down;  // depth: ray has z 1 in the camera
        const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                       static_cast<std::size_t>(x);
        if (!(t < depth_[i])) continue;
        const Vec3 p = X.q.conjugate() * (eye.at + t * ray - X.p);
        const double pixel = t / eye.focus / std::max(down / ray.norm(), 0.02);
        const bool odd = (static_cast<long long>(std::floor(p.x() / square)) +
                          static_cast<long long>(std::floor(p.y() / square))) &
                         1;
        // squares fade where they are finer than pixels
        const double contrast = std::clamp(1.5 - pixel / square * 2, 0.0, 1.0);
        const double haze = std::clamp(t / (60 * std::max(above, square)), 0.0, 1.0);
        for (std::size_t c = 0; c < 3; ++c) {
          const double base = has_own_colour(geom) ? geom.rgba[static_cast<int>(c)] : 0.86;
          const double plain = base * (1 + contrast * (odd ? 0.03 : -0.06));
          colour_[i][c] = static_cast<float>(plain * (1 - haze) + 0.96 * haze);
        }
        depth_[i] = static_cast<float>(t);
      }
  }
}

void Painter::draw_mesh(const Mesh& mesh, const Pose& X_WG, const Eye& eye) {
  const Vec3 light = Vec3(0.35, -0.5, 0.8).normalized();
  std::vector<Vec3> points;
  points.reserve(mesh.vertices.size());
  for (const Vec3& v : mesh.vertices) points.push_back(eye.to_camera(X_WG * v));
  for (const auto& t : mesh.triangles) {
    const Vec3 p[3] = {points[static_cast<std::size_t>(t[0])],
                       points[static_cast<std::size_t>(t[1])],
                       points[static_cast<std::size_t>(t[2])]};
    // what reaches behind the eye is left out
    if (p[0].z() < eye.near || p[1].z() < eye.near || p[2].z() < eye.near) continue;
    const Vec3 normal_C = (p[1] - p[0]).cross(p[2] - p[0]);
    const double size = normal_C.norm();
    if (size == 0 || normal_C.dot(p[0]) >= 0) continue;  // seen from behind
    const Vec3 n = eye.R.transpose() * normal_C / size;
    const double shade =
        kAmbient + (1 - kAmbient) * (0.75 * std::max(0.0, n.dot(light)) + 0.25 * std::abs(n.z()));
    const std::array<float, 3> colour = {static_cast<float>(mesh.colour[0] * shade),
                                         static_cast<float>(mesh.colour[1] * shade),
                                         static_cast<float>(mesh.colour[2] * shade)};
    double u[3], v[3], w[3];
    for (int i = 0; i < 3; ++i) {
      w[i] = 1 / p[i].z();
      u[i] = 0.5 * width_ + eye.focus * p[i].x() * w[i];
      v[i] = 0.5 * height_ + eye.focus * p[i].y() * w[i];
    }
    const double area = (u[1] - u[0]) * (v[2] - v[0]) - (u[2] - u[0]) * (v[1] - v[0]);
    if (area == 0) continue;
    const auto low = [](const double* x, int most) {
      return static_cast<int>(
          std::clamp(std::floor(std::min({x[0], x[1], x[2]})), 0.0, static_cast<double>(most)));
    };
    const auto high = [](const double* x, int most) {
      return static_cast<int>(
          std::clamp(std::ceil(std::max({x[0], x[1], x[2]})), 0.0, static_cast<double>(most)));
    };
    for (int y = low(v, height_); y < high(v, height_); ++y)
      for (int x = low(u, width_); x < high(u, width_); ++x) {
        const double px = x + 0.5, py = y + 0.5;
        const double a = ((u[1] - px) * (v[2] - py) - (u[2] - px) * (v[1] - py)) / area;
        const double b = ((u[2] - px) * (v[0] - py) - (u[0] - px) * (v[2] - py)) / area;
        if (a < 0 || b < 0 || a + b > 1) continue;
        const auto depth = static_cast<float>(1 / (a * w[0] + b * w[1] + (1 - a - b) * w[2]));
        const auto i = static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                       static_cast<std::size_t>(x);
        if (!(depth < depth_[i])) continue;
        depth_[i] = depth, colour_[i] = colour;
      }
  }
}

Image Painter::draw(const Derived& poses, const PictureSettings& s) {
  if (s.width < 1 || s.height < 1 || s.width > kMostPixels || s.height > kMostPixels)
    throw std::invalid_argument("a picture has 1 to 8192 pixels each way");
  if (!(s.field_of_view > 0 && s.field_of_view < 3))
    throw std::invalid_argument("field_of_view: between 0 and 3 (rad)");
  width_ = kFiner * s.width, height_ = kFiner * s.height;
  Eye eye;
  eye.focus = 0.5 * height_ / std::tan(0.5 * s.field_of_view);
  Vec3 target = s.target;
  double distance = s.distance;
  if (!(distance > 0)) {
    const Aabb box = movers_box(model_, poses);
    const double size = std::max(scene_size(model_, poses), std::numeric_limits<double>::min());
    if ((box.max.array() >= box.min.array()).all()) target = 0.5 * (box.min + box.max);
    const double half = std::atan(std::min(1.0, static_cast<double>(s.width) / s.height) *
                                  std::tan(0.5 * s.field_of_view));
    distance = kMargin * size / std::sin(half);
  }
  const Vec3 back(std::cos(s.elevation) * std::cos(s.azimuth),
                  std::cos(s.elevation) * std::sin(s.azimuth), std::sin(s.elevation));
  eye.at = target + distance * back;
  eye.near = 1e-3 * distance;
  const Vec3 right(-std::sin(s.azimuth), std::cos(s.azimuth), 0);
  eye.R.row(0) = right;
  eye.R.row(1) = (-back).cross(right);
  eye.R.row(2) = -back;
  clear(eye);
  draw_grounds(poses, eye);
  for (const Mesh& mesh : meshes_) draw_mesh(mesh, geom_pose(model_, poses, mesh.geom), eye);

  Image image{s.width, s.height, {}};
  image.rgb.resize(static_cast<std::size_t>(3) * static_cast<std::size_t>(s.width) *
                   static_cast<std::size_t>(s.height));
  std::size_t to = 0;
  for (int y = 0; y < s.height; ++y)
    for (int x = 0; x < s.width; ++x)
      for (std::size_t c = 0; c < 3; ++c) {
        float sum = 0;
        for (int j = 0; j < kFiner; ++j)
          for (int i = 0; i < kFiner; ++i)
            sum += colour_[static_cast<std::size_t>(kFiner * y + j) *
                               static_cast<std::size_t>(width_) +
                           static_cast<std::size_t>(kFiner * x + i)][c];
        image.rgb[to++] = static_cast<std::uint8_t>(
            std::clamp(255 * sum / (kFiner * kFiner) + 0.5f, 0.0f, 255.0f));
      }
  return image;
}

}  // namespace abut::view
