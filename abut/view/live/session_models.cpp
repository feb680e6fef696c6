// The models of a Session: one at the start, and another after each thrown box or new step.
#include <algorithm>
#include <utility>

#include "abut/view/live/session.h"
#include "abut/view/live/session_parts.h"

namespace abut::view {

// The original world with the boxes that have been thrown into it.
std::shared_ptr<const Session::Built> Session::build(std::shared_ptr<const Era> era) const {
  World world = settings_.world;
  std::vector<const ThrownBox*> thrown;
  for (int i = era->box; i >= 0; i = thrown.back()->before)
    thrown.push_back(&boxes_[static_cast<std::size_t>(i)]);
  std::reverse(thrown.begin(), thrown.end());
  for (const ThrownBox* box : thrown) {
    const Vec3& place = box->place;
    BodyDesc& body = world.body(box->name, place);
    body.free();
    body.box(Vec3::Constant(box->half)).name = box->name;
    for (KeyframeDesc& key : world.keyframes) {
      if (!key.qpos.empty())
        key.qpos.insert(key.qpos.end(), {place.x(), place.y(), place.z(), 1, 0, 0, 0});
      if (!key.qvel.empty()) key.qvel.resize(key.qvel.size() + 6, 0.0);
    }
  }
  auto built = std::make_shared<Built>();
  built->model = settings_.build(world);
  built->model.option.timestep = era->timestep;
  built->hands = std::make_unique<HandForces>(built->model, size_);
  built->era = std::move(era);
  return built;
}

std::shared_ptr<const Session::Built> Session::build_next(Era era) {
  era.number = eras_++;
  return build(std::make_shared<const Era>(era));
}

// The current world with one more box. If this world is invalid, nothing changes.
std::shared_ptr<const Session::Built> Session::build_with(ThrownBox box) {
  Era era = *built_->era;
  box.before = std::exchange(era.box, static_cast<int>(boxes_.size()));
  boxes_.push_back(std::move(box));
  try {
    return build_next(era);
  } catch (...) {
    boxes_.pop_back();
    throw;
  }
}

void Session::go_to_era(const std::shared_ptr<const Era>& era) {
  if (built_->era == era) return;
  if (recent_ && recent_->era == era)
    std::swap(built_, recent_);
  else
    recent_ = std::exchange(built_, build(era));
}

// A simulator for the lane's settings in this era. Throws WorldError for invalid settings.
void Session::prepare(Lane& lane) const {
  lane.simulator = std::make_unique<Simulator>(built_->model, *lane.settings);
  lane.looker = std::make_unique<Looker>(built_->model, origin_);
  lane.poses = Derived(built_->model);
  lane.built = built_;
  lane.built_for = lane.settings;
}

}  // namespace abut::view
