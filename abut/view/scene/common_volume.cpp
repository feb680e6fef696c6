#include "abut/view/scene/common_volume.h"

#include "abut/collide/volume/clip_volume.h"

namespace abut::view {

struct CommonVolume::Buffers {
  ClipBuffers clip;
  Intersection common;
};

CommonVolume::CommonVolume() : buffers_(std::make_unique<Buffers>()) {}
CommonVolume::~CommonVolume() = default;
CommonVolume::CommonVolume(CommonVolume&&) noexcept = default;

void CommonVolume::triangles(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                             const std::function<void(const Vec3&)>& corner) {
  Intersection& common = buffers_->common;
  clip_volume(A, B, Transform(X_WA.inverse() * X_WB), buffers_->clip, common);
  for_each_triangle(common, [&](const Vec3& p, const Vec3& q, const Vec3& r, const auto&) {
    for (const Vec3* at : {&p, &q, &r}) corner(X_WA * Vec3(common.origin + *at));
  });
}

}  // namespace abut::view
