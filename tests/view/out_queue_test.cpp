// What waits for a client: texts in order, the newest frame of each lane, and a bound on both.
#include "abut/view/live/out_queue.h"

#include <gtest/gtest.h>

namespace abut::view {
namespace {

OutQueue::Text text(std::string s) { return std::make_shared<const std::string>(std::move(s)); }

TEST(OutQueue, TextsComeFirstAndInOrder) {
  OutQueue queue;
  EXPECT_FALSE(queue.set_frame(2, text("frame")));
  EXPECT_TRUE(queue.add(text("one")));
  EXPECT_TRUE(queue.add(text("two")));
  OutQueue::Message next = queue.take();
  EXPECT_EQ(*next.bytes, "one");
  EXPECT_TRUE(next.is_text);
  EXPECT_EQ(*queue.take().bytes, "two");
  next = queue.take();
  EXPECT_EQ(*next.bytes, "frame");
  EXPECT_FALSE(next.is_text);
  EXPECT_EQ(queue.take().bytes, nullptr);
}

TEST(OutQueue, LanesKeepTheNewestFrameAndTakeTurns) {
  OutQueue queue;
  for (const char* frame : {"old", "new"})
    for (std::size_t lane = 0; lane < OutQueue::kLanes; ++lane)
      EXPECT_EQ(queue.set_frame(lane, text(frame + std::to_string(lane))), frame[0] == 'n');
  std::vector<std::string> taken;
  for (std::size_t k = 0; k < OutQueue::kLanes; ++k) taken.push_back(*queue.take().bytes);
  EXPECT_EQ(taken, (std::vector<std::string>{"new1", "new2", "new3", "new0"}));
  EXPECT_EQ(queue.take().bytes, nullptr);
}

TEST(OutQueue, SaysWhenAClientLeavesTooMuchUnread) {
  OutQueue many;
  for (std::size_t i = 0; i < OutQueue::kMostTexts; ++i) EXPECT_TRUE(many.add(text("x")));
  EXPECT_FALSE(many.add(text("x")));
  OutQueue large;
  EXPECT_TRUE(large.add(text(std::string(OutQueue::kMostBytes, 'x'))));
  large.take();
  EXPECT_TRUE(large.add(text(std::string(OutQueue::kMostBytes, 'x'))));
  EXPECT_FALSE(large.add(text("x")));
}

}  // namespace
}  // namespace abut::view
