// The common volume of two solids, as triangles to draw.
//
//   abut::view::CommonVolume common;
//   common.triangles(a, X_WA, b, X_WB, [&](const Vec3& corner) { .. });   // three a triangle
#pragma once

#include <functional>
#include <memory>

#include "abut/collide/solid/convex.h"

namespace abut::view {

class CommonVolume {
 public:
  CommonVolume();
  ~CommonVolume();
  CommonVolume(CommonVolume&&) noexcept;

  // Corners in the world.
  void triangles(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                 const std::function<void(const Vec3&)>& corner);

 private:
  struct Buffers;
  std::unique_ptr<Buffers> buffers_;
};

}  // namespace abut::view
