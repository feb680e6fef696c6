#include "abut/collide/volume/dual_volume.h"
#include "maker.h"

namespace abut {

struct ClipBuffers;
// weak: null unless something brings it in
[[gnu::weak]] void clip_volume(const Convex& A, const Convex& B, const Transform& X_AB,
                               ClipBuffers& buffers, Intersection& common);

namespace testing {

Intersection common_part(const Convex& A, const Convex& B, const Transform& X_AB) {
  return dual_volume(A, B, X_AB);
}

bool other_maker_is_linked() { return &clip_volume != nullptr; }

}  // namespace testing
}  // namespace abut
