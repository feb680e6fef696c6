// Painter: pictures of a world without a browser or a graphics card: triangles with one light, hidden
// surfaces by depth. It is for images in programs (Python's abut.render, learning environments); the
// viewer draws shadows, contacts and forces too.
//
//   abut::view::Painter painter(model);
//   abut::view::Image image = painter.draw(derived, {.width = 640, .height = 480});
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abut/model/derived.h"

namespace abut::view {

struct PictureSettings {
  int width = 640, height = 480;
  // Where the eye is: about the target, azimuth from +x about z, elevation above the ground (rad).
  double azimuth = -0.96, elevation = 0.38;
  double distance = 0;            // m; 0: the moving bodies fit into the picture
  Vec3 target = Vec3::Zero();     // m; used if distance > 0
  double field_of_view = 0.7854;  // rad, of the height
};

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // rows from the top
};

class Painter {
 public:
  // The model must outlive it.
  explicit Painter(const Model& model);
  // Requires positions().
  Image draw(const Derived& poses, const PictureSettings& settings);

 private:
  struct Mesh {
    int geom = 0;
    std::array<double, 3> colour{};
    std::vector<Vec3> vertices;
    std::vector<std::array<int, 3>> triangles;
  };
  struct Eye;
  void clear(const Eye& eye);
  void draw_grounds(const Derived& poses, const Eye& eye);
  void draw_mesh(const Mesh& mesh, const Pose& X_WG, const Eye& eye);

  const Model& model_;
  std::vector<Mesh> meshes_;
  std::vector<int> planes_;
  int width_ = 0, height_ = 0;  // of the buffers, finer than the image
  std::vector<float> depth_;
  std::vector<std::array<float, 3>> colour_;
};

}  // namespace abut::view
