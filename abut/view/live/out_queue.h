// OutQueue: what waits to be written to a client of the server: texts, all of them and in order,
// and frames, of which each lane keeps the newest alone.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <utility>

namespace abut::view {

class OutQueue {
 public:
  using Text = std::shared_ptr<const std::string>;
  static constexpr std::size_t kLanes = 4;
  // A client that leaves this much unread is gone, or never was one.
  static constexpr std::size_t kMostTexts = 64, kMostBytes = 64 << 20;

  // False: too much waits.
  bool add(Text text) {
    bytes_ += text->size();
    texts_.push_back(std::move(text));
    return texts_.size() <= kMostTexts && bytes_ <= kMostBytes;
  }
  // True: the lane had a frame that nobody will see.
  bool set_frame(std::size_t lane, const Text& bytes) {
    return std::exchange(frames_[lane], bytes) != nullptr;
  }

  struct Message {
    Text bytes;  // null: nothing waits
    bool is_text = false;
  };
  // Takes one out: texts first, then the frame of the lane whose turn it is.
  Message take() {
    if (!texts_.empty()) {
      Message next{std::move(texts_.front()), true};
      texts_.pop_front();
      bytes_ -= next.bytes->size();
      return next;
    }
    for (std::size_t k = 0; k < kLanes; ++k) {
      turn_ = (turn_ + 1) % kLanes;
      if (frames_[turn_]) return {std::exchange(frames_[turn_], nullptr), false};
    }
    return {};
  }
  void clear() {
    texts_.clear();
    frames_ = {};
    bytes_ = 0;
  }

 private:
  std::deque<Text> texts_;
  std::size_t bytes_ = 0;  // of texts_
  std::array<Text, kLanes> frames_;
  std::size_t turn_ = 0;
};

}  // namespace abut::view
