// Snapshot: the newest of something, from one thread to another, without locks: three copies, of
// which the writer has one, the reader one, and one waits between them. Neither ever waits for the
// other.
//
//   snapshot.back() = ...; snapshot.publish();            // real-time thread
//   if (snapshot.refresh()) draw(snapshot.front());       // graphics
#pragma once

#include <array>
#include <atomic>

namespace abut::haptic {

template <class T>
class Snapshot {
 public:
  Snapshot() = default;
  explicit Snapshot(const T& value) { slots_.fill(value); }
  // All copies; while nobody else uses it.
  Snapshot& operator=(const T& value) {
    slots_.fill(value);
    return *this;
  }

  T& back() { return slots_[static_cast<std::size_t>(back_)]; }
  void publish() { back_ = middle_.exchange(back_ | kNew, std::memory_order_acq_rel) & ~kNew; }
  // Whether the reader has taken the last one that was published.
  bool taken() const { return (middle_.load(std::memory_order_relaxed) & kNew) == 0; }

  // Whether there is a newer one than at the last call.
  bool refresh() {
    if (taken()) return false;
    front_ = middle_.exchange(front_, std::memory_order_acq_rel) & ~kNew;
    return true;
  }
  const T& front() const { return slots_[static_cast<std::size_t>(front_)]; }

 private:
  static constexpr int kNew = 4;
  std::array<T, 3> slots_{};
  std::atomic<int> middle_{1};
  int back_ = 0, front_ = 2;
};

}  // namespace abut::haptic
