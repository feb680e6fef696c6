#include "abut/view/scene/frame.h"

#include "abut/view/scene/bytes.h"

namespace abut::view {

namespace {
constexpr std::uint32_t kMagic = 0x31464241;  // "ABF1"
}

std::string encoded(const Frame& f, int lane) {
  std::size_t feature_words = 0;
  for (const Frame::Feature& feature : f.features) feature_words += 2 + 3 * feature.points.size();
  Bytes out;
  out.u32(kMagic).u32(static_cast<std::uint64_t>(lane)).f64(f.time);
  out.u32(static_cast<std::uint64_t>(f.step)).u32(static_cast<std::uint64_t>(f.generation));
  out.u32((f.paused ? 1u : 0u) | (f.diverged ? 2u : 0u));
  out.u32(f.poses.size()).u32(f.pairs.size()).u32(f.points.size()).u32(feature_words);
  out.u32(f.volumes.size() / 3).u32(f.boxes.size()).u32(f.joints.size()).u32(f.numbers.size());
  out.u32(f.velocities.size());
  for (const double x : f.numbers) out.f32(x);
  for (const Pose& pose : f.poses) out.vec(pose.p).quat(pose.q);
  for (const Frame::Velocity& v : f.velocities) out.vec(v.linear).vec(v.angular);
  for (const Frame::Pair& p : f.pairs) {
    out.u32(static_cast<std::uint64_t>(p.geom_a)).u32(static_cast<std::uint64_t>(p.geom_b));
    out.u32(static_cast<std::uint64_t>(p.phase)).u32(static_cast<std::uint64_t>(p.points_end));
    out.vec(p.normal).vec(p.point).vec(p.force).f32(p.friction);
  }
  for (const Frame::Point& p : f.points) out.vec(p.position).vec(p.force);
  for (const Frame::Feature& feature : f.features) {
    out.u32(static_cast<std::uint64_t>(feature.side)).u32(feature.points.size());
    for (const Vec3& p : feature.points) out.vec(p);
  }
  for (std::size_t i = 0; i + 2 < f.volumes.size(); i += 3)
    out.vec(f.volumes[i]).vec(f.volumes[i + 1]).vec(f.volumes[i + 2]);
  for (const auto& box : f.boxes) out.vec(box[0]).vec(box[1]);
  for (const Frame::Joint& j : f.joints) out.vec(j.a).vec(j.b).f32(j.error);
  return out.str();
}

}  // namespace abut::view
