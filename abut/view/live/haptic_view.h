// HapticView: a haptic run in the browser. The loop runs in its own threads, in real time; this one
// draws, 60 times a second, from a lock-free snapshot that the loop leaves. No client can delay the
// loop.
//
//   abut::view::HapticView run(cycle, device, {.time = 30}, outlet);
//   run.received(client, text);
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "abut/haptic/device/mouse_device.h"
#include "abut/haptic/loop/haptic_loop.h"
#include "abut/haptic/loop/snapshot.h"
#include "abut/shape/aabb.h"
#include "abut/view/live/live.h"
#include "abut/view/scene/looker.h"

namespace abut::view {

class HapticView {
 public:
  // The cycle and the device must outlive it. `mouse`: the device, if it is a mouse; else null.
  HapticView(haptic::HapticCycle& cycle, haptic::Device& device, haptic::LoopSettings settings,
             Outlet outlet, haptic::MouseDevice* mouse = nullptr);
  ~HapticView();
  // Ends both: nothing more is sent.
  void stop();
  HapticView(const HapticView&) = delete;
  HapticView& operator=(const HapticView&) = delete;

  // For any thread.
  void opened(std::uint64_t client);
  void received(std::uint64_t client, std::string_view text);
  void closed(std::uint64_t client);

  bool ended() const { return ended_; }  // the time is over, or the world has diverged
  const haptic::LoopReport& report() const { return loop_->report(); }  // after stop()

 private:
  // What the loop leaves for the picture.
  struct Picture {
    State state;
    std::vector<Pose> mocap;
    ContactForces forces;
    Pose hand;
    Spatial felt;
    std::int64_t cycles = 0, late = 0;
    double compute_p50 = 0, compute_p99 = 0, compute_max = 0, wake_p99 = 0, wake_max = 0;  // s
    double gate = 0;
  };
  void leave_picture(const haptic::HapticCycle& cycle);
  void draw();
  void greet();
  std::string scene() const;
  std::string status() const;

  haptic::HapticCycle& cycle_;
  const Model& model_;
  haptic::Device& device_;
  haptic::MouseDevice* mouse_;
  haptic::MouseDevice::Asked asked_;  // under mutex_
  Outlet outlet_;
  std::string contact_, friction_, stabilize_;
  Vec3 origin_ = Vec3::Zero(), pointer_start_ = Vec3::Zero();
  Aabb sight_;                          // m, from the origin: what the camera is to see
  std::int64_t every_ = 1, since_ = 0;  // cycles, of a picture
  haptic::Snapshot<Picture> picture_;
  std::atomic<bool> stop_{false}, ended_{false};
  const std::atomic<bool>* stop_asked_;
  std::unique_ptr<haptic::HapticLoop> loop_;
  std::mutex mutex_;
  std::vector<std::uint64_t> greet_;
  Show show_;
  Input input_;
  std::thread loop_thread_, draw_thread_;
};

}  // namespace abut::view
