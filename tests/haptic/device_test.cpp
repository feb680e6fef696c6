// Devices that speak protocols: packets over UDP, Haply's messages over a WebSocket.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>
#include <vector>

#include "abut/haptic/device/hand_message.h"
#include "abut/haptic/device/haply_device.h"
#include "abut/haptic/device/haply_messages.h"
#include "abut/haptic/device/mouse_device.h"
#include "abut/haptic/device/packet.h"
#include "abut/haptic/device/udp_device.h"
#include "abut/haptic/device/websocket_device.h"
#include "abut/haptic/record/haptic_recording.h"
#include "abut/math/rotation.h"
#include "haptic_scene.h"

namespace abut::test {
namespace {

void nap(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

HandPacket some_hand(std::uint32_t sequence) {
  HandPacket p;
  p.sequence = sequence;
  p.time = 1.5;
  p.sample.pose = {{0.1, -0.2, 0.3}, Quat(0.5, 0.5, -0.5, 0.5)};
  p.sample.linear_velocity = {1, 2, 3};
  p.sample.angular_velocity = {4, 5, 6};
  p.sample.has_velocity = true;
  p.sample.buttons = 5;
  return p;
}

TEST(Packets, GoThereAndBack) {
  const HandPacket hand = some_hand(7);
  const auto bytes = encoded(hand);
  HandPacket read;
  ASSERT_TRUE(decode(bytes, read));
  EXPECT_EQ(read.sequence, 7u);
  EXPECT_EQ(read.time, 1.5);
  EXPECT_EQ(read.sample.pose.p, hand.sample.pose.p);
  EXPECT_EQ(read.sample.pose.q.coeffs(), hand.sample.pose.q.coeffs());
  EXPECT_EQ(read.sample.linear_velocity, hand.sample.linear_velocity);
  EXPECT_EQ(read.sample.angular_velocity, hand.sample.angular_velocity);
  EXPECT_TRUE(read.sample.has_velocity);
  EXPECT_EQ(read.sample.buttons, 5u);
  // places of the protocol's page
  double x = 0;
  std::memcpy(&x, bytes.data() + 32, 8);
  EXPECT_EQ(x, 0.1);
  std::memcpy(&x, bytes.data() + 56, 8);
  EXPECT_EQ(x, 0.5);

  const WrenchPacket wrench{9, 7, true, {{1, 2, 3}, {4, 5, 6}}};
  WrenchPacket felt;
  ASSERT_TRUE(decode(encoded(wrench), felt));
  EXPECT_EQ(felt.answers, 7u);
  EXPECT_TRUE(felt.last);
  EXPECT_EQ(felt.wrench.torque, Vec3(4, 5, 6));
}

// Any byte of the head that is changed, any other length, and random bytes are refused.
TEST(Packets, OthersAreRefused) {
  const auto good = encoded(some_hand(1));
  HandPacket read;
  for (const std::size_t at : {0, 1, 2, 3, 4, 5, 6, 7, 17, 18, 19, 20, 23}) {
    auto bytes = good;
    bytes[at] ^= std::byte{0x40};
    EXPECT_FALSE(decode(bytes, read)) << at;
  }
  for (std::size_t n = 0; n < good.size(); ++n)
    EXPECT_FALSE(decode(std::span(good).first(n), read));
  std::vector<std::byte> longer(good.begin(), good.end());
  longer.push_back(std::byte{0});
  EXPECT_FALSE(decode(longer, read));
  EXPECT_TRUE(is_later(1, 0xffffffffu));
  EXPECT_FALSE(is_later(5, 5));
}

class Bridge {
 public:
  explicit Bridge(std::uint16_t port) : socket_(socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_in to{};
    to.sin_family = AF_INET;
    to.sin_port = htons(port);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(connect(socket_, reinterpret_cast<sockaddr*>(&to), sizeof to), 0);
  }
  ~Bridge() { close(socket_); }
  template <class Bytes>
  void send(const Bytes& bytes) {
    EXPECT_GE(::send(socket_, bytes.data(), bytes.size(), 0), 0);
  }
  bool receive(WrenchPacket& packet) {
    std::array<std::byte, 256> bytes;
    const ssize_t n = recv(socket_, bytes.data(), bytes.size(), 0);
    return n > 0 && decode(std::span(bytes).first(static_cast<std::size_t>(n)), packet);
  }

 private:
  int socket_;
};

TEST(UdpDevice, TakesTheNewestAndAnswers) {
  UdpDevice device("127.0.0.1", 0);
  device.start(0.001);
  HandSample hand;
  EXPECT_FALSE(device.read(hand));
  Bridge bridge(device.port());
  for (const std::uint32_t n : {1u, 3u, 2u, 3u}) {
    HandPacket p = some_hand(n);
    p.sample.pose.p.x() = n;
    bridge.send(encoded(p));
  }
  ASSERT_TRUE(device.read(hand));
  EXPECT_EQ(hand.pose.p.x(), 3) << "not an older one that came later";
  EXPECT_EQ(device.refused(), 2);
  EXPECT_FALSE(device.read(hand));
  device.write({{0, 0, 2}, Vec3::Zero()});
  WrenchPacket felt;
  ASSERT_TRUE(bridge.receive(felt));
  EXPECT_EQ(felt.answers, 3u);
  EXPECT_EQ(felt.wrench.force.z(), 2);
  device.stop();
  ASSERT_TRUE(bridge.receive(felt));
  EXPECT_TRUE(felt.last);
}

TEST(UdpDevice, IsNotTakenOverAndNotFlooded) {
  UdpDevice device("127.0.0.1", 0);
  device.start(0.001);
  HandSample hand;
  Bridge bridge(device.port()), other(device.port());
  bridge.send(encoded(some_hand(1)));
  ASSERT_TRUE(device.read(hand));
  other.send(encoded(some_hand(100)));
  EXPECT_FALSE(device.read(hand));
  // after a second of silence another may come
  for (int i = 0; i < 1100; ++i) device.read(hand);
  other.send(encoded(some_hand(5)));
  EXPECT_TRUE(device.read(hand));
  // junk is refused, and a flood of it is left for later cycles
  std::mt19937 random(1);
  for (int i = 0; i < 100; ++i) {
    std::vector<char> bytes(random() % 300);
    for (char& c : bytes) c = static_cast<char>(random());
    other.send(bytes);
  }
  const std::int64_t before = device.refused();
  EXPECT_FALSE(device.read(hand));
  EXPECT_EQ(device.refused() - before, 32);
}

TEST(UdpDevice, SaysWhatIsWrong) {
  EXPECT_THROW(UdpDevice("nowhere", 0), std::runtime_error);
  const UdpDevice first("127.0.0.1", 0);
  EXPECT_THROW(UdpDevice("127.0.0.1", first.port()), std::runtime_error);
}

TEST(HaplyMessages, AreRead) {
  std::string device;
  HandSample hand;
  EXPECT_TRUE(read_haply(
      R"({"inverse3": [{"device_id": "04F3", "config": {}, "state": {
          "cursor_position": {"x": 0.01, "y": -0.1, "z": 0.2},
          "cursor_velocity": {"x": 1, "y": 2, "z": 3}, "mode": "force"}}],
          "wireless_verse_grip": [{"device_id": "61F0", "state": {
          "orientation": {"w": 0.5, "x": 0.5, "y": -0.5, "z": 0.5},
          "buttons": {"a": true, "b": false, "c": true}}}]})",
      device, hand));
  EXPECT_EQ(device, "04F3");
  EXPECT_EQ(hand.pose.p, Vec3(0.01, -0.1, 0.2));
  EXPECT_EQ(hand.pose.q.coeffs(), Quat(0.5, 0.5, -0.5, 0.5).coeffs());
  EXPECT_EQ(hand.buttons, 5u);
  EXPECT_FALSE(hand.has_velocity) << "the grip tells no rate of turn";
  // later messages have no grip, and no id
  EXPECT_TRUE(read_haply(
      R"({"inverse3": [{"state": {"cursor_position": {"x": 0, "y": 0, "z": 1},
          "cursor_velocity": {"x": 1, "y": 2, "z": 3}}}]})",
      device, hand));
  EXPECT_TRUE(hand.has_velocity);
  EXPECT_EQ(hand.linear_velocity, Vec3(1, 2, 3));
  EXPECT_EQ(nlohmann::json::parse(haply_force("04F3", {1, 2, 3})),
            nlohmann::json::parse(R"({"inverse3": [{"device_id": "04F3", "commands":
              {"set_cursor_force": {"values": {"x": 1.0, "y": 2.0, "z": 3.0}}}}]})"));
}

TEST(HaplyMessages, JunkIsRefused) {
  std::string device = "04F3";
  HandSample hand;
  for (const char* text :
       {"", "{", "[]", "null", "7", R"({"inverse3": 3})", R"({"inverse3": []})",
        R"({"inverse3": [3]})", R"({"inverse3": [{"state": 1}]})",
        R"({"inverse3": [{"state": {"cursor_position": {"x": 0, "y": 0}}}]})",
        R"({"inverse3": [{"state": {"cursor_position": {"x": "0", "y": 0, "z": 0}}}]})",
        R"({"inverse3": [{"state": {"cursor_position": [0, 0, 0]}}]})", "\xff\xfe{}"})
    EXPECT_FALSE(read_haply(text, device, hand)) << text;
}

// A service like Haply's: a wall that the simulated cursor is pressed on.
TEST(HaplyDevice, TalksToAService) {
  std::atomic<double> felt{0}, last{-1};
  std::atomic<int> commands{0};
  WebSocketServer service([&](const auto& receive, const auto& send) {
    std::string text;
    for (int i = 0; i < 2000; ++i) {
      if (i == 100 && !send("junk {")) break;
      if (!send(R"({"inverse3": [{"device_id": "04F3", "state": {"cursor_position":
            {"x": 0, "y": 0, "z": 0.25}, "cursor_velocity": {"x": 0, "y": 0, "z": 0}}}]})"))
        break;
      if (!receive(text)) break;
      const auto j = nlohmann::json::parse(text);
      last = j["inverse3"][0]["commands"]["set_cursor_force"]["values"]["z"].get<double>();
      felt = std::max<double>(felt, last);
      ++commands;
      nap(1);
    }
  });
  {
    HaplyDevice device("ws://127.0.0.1:" + std::to_string(service.port()));
    HandSample hand;
    int got = 0;
    for (int i = 0; i < 200; ++i) {
      if (device.read(hand)) ++got;
      device.write({{0, 0, 3}, Vec3::Zero()});
      nap(1);
    }
    EXPECT_GT(got, 5);
    EXPECT_EQ(hand.pose.p.z(), 0.25);
    EXPECT_TRUE(device.connected());
    device.stop();
  }
  EXPECT_GT(commands, 5);
  EXPECT_EQ(felt, 3);
}

// The service dies in the middle of a run: the loop goes on, and the hand is let go.
TEST(HaplyDevice, ServiceThatDiesIsSilence) {
  WebSocketServer service([&](const auto& receive, const auto& send) {
    std::string text;
    for (int i = 0; i < 50; ++i) {
      if (!send(R"({"inverse3": [{"device_id": "1", "state": {"cursor_position":
            {"x": 0, "y": 0, "z": 0.25}}}]})") ||
          !receive(text))
        break;
      nap(1);
    }
  });
  HaplyDevice device("127.0.0.1:" + std::to_string(service.port()));
  HapticScene s(haptic_world("virtual_wall"), "st", 500);
  HapticLoop loop(s.cycle, device, {.time = 0.5});
  loop.run();
  EXPECT_GE(s.cycle.guard().silences(), 1);
  EXPECT_FALSE(device.connected());
}

TEST(HaplyDevice, SaysThatNobodyAnswers) {
  EXPECT_THROW(HaplyDevice("ws://127.0.0.1:1"), std::runtime_error);
  for (const char* bad : {"ws://127.0.0.1:x", "//", "ws://a:"})
    EXPECT_THROW(parse_address(bad), std::runtime_error) << bad;
  const WebSocketAddress a = parse_address("ws://here:12/x");
  EXPECT_EQ(a.host + " " + a.port + " " + a.path, "here 12 /x");
}

// Everything that happened, to a file and back, and done again with the same bits.
TEST(HapticRecording, IsReadAndReplayed) {
  HapticScene s(haptic_world("four_blocks"), "volumetric", 1000);
  HapticRecording recording(2000);
  s.run({.time = 0.8,
         .late = [](std::int64_t tick) { return tick % 90 == 7; },
         .on_event = [&](const TickEvent& e) { recording.add(e); }});
  recording.notes = {"four_blocks", "volumetric", "coupled", "simulated", "abc", 1000};
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) /
                                     ("abut_haptic_" + std::to_string(getpid()) + ".h5");
  recording.write(file);
  const HapticRecording read = HapticRecording::read(file);
  std::filesystem::remove(file);
  ASSERT_EQ(read.events().size(), recording.events().size());
  EXPECT_EQ(read.notes.contact, "volumetric");
  EXPECT_EQ(read.notes.rate, 1000);
  HapticScene again(haptic_world("four_blocks"), "volumetric", 1000);
  for (const TickEvent& e : read.events()) {
    const HandWrench w = replay(e, again.cycle);
    if (e.kind == TickEvent::Kind::step || e.kind == TickEvent::Kind::late) {
      ASSERT_EQ(w.force, e.wrench.force);
    }
  }
  EXPECT_EQ(again.cycle.state().hash(), s.cycle.state().hash());
  EXPECT_THROW(HapticRecording::read("/nowhere.h5"), std::runtime_error);

  HapticRecording small(2);
  for (int i = 0; i < 5; ++i) small.add({});
  EXPECT_EQ(small.events().size() + static_cast<std::size_t>(small.lost()), 5u);
}

TEST(MouseDevice, FollowsSmoothlyAndGivesWay) {
  MouseDevice mouse;
  mouse.start(0.001);
  HandSample hand;
  mouse.read(hand);
  mouse.ask({.place = {0.1, 0, 0}});
  double fastest = 0;
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(mouse.read(hand));
    fastest = std::max(fastest, hand.linear_velocity.norm());
  }
  EXPECT_NEAR(hand.pose.p.x(), 0.1, 1e-6);
  EXPECT_LT(fastest, 2);
  mouse.write({{-3, 0, 0}, Vec3::Zero()});
  for (int i = 0; i < 500; ++i) mouse.read(hand);
  EXPECT_NEAR(hand.pose.p.x(), 0.1 - 3.0 / 300, 1e-6);
}

TEST(MouseDevice, TurnsAndPressesButtons) {
  MouseDevice mouse;
  mouse.start(0.001);
  const Quat turn(Eigen::AngleAxisd(1, Vec3(1, 2, 2) / 3));
  mouse.ask({.turn = turn, .buttons = 1});
  HandSample hand;
  Quat before = Quat::Identity();
  double error = 0;  // of the velocity that is told
  for (int i = 0; i < 500; ++i) {
    ASSERT_TRUE(mouse.read(hand));
    const Vec3 rate = log_rotation(hand.pose.q * before.conjugate()) / 0.001;
    if (i > 10) error = std::max(error, (rate - hand.angular_velocity).norm());
    before = hand.pose.q;
  }
  EXPECT_LT(hand.pose.q.angularDistance(turn), 1e-6);
  EXPECT_LT(hand.angular_velocity.norm(), 1e-4);
  EXPECT_LT(error, 1.5);  // of 26 rad/s at most
  EXPECT_EQ(hand.buttons, 1u);
}

std::string hand_text(int sequence, double z) {
  return nlohmann::json{{"abut", "hand"},
                        {"version", 1},
                        {"sequence", sequence},
                        {"position", {0, 0, z}},
                        {"quaternion", {1, 0, 0, 0}},
                        {"buttons", 1}}
      .dump();
}

TEST(HandMessages, OthersAreRefusedWithAReason) {
  HandMessage m;
  EXPECT_EQ(why_no_hand(hand_text(7, 0.25), m), "");
  EXPECT_EQ(m.sequence, 7u);
  EXPECT_EQ(m.sample.pose.p.z(), 0.25);
  EXPECT_FALSE(m.sample.has_velocity);
  EXPECT_EQ(m.sample.buttons, 1u);
  const auto with = [](const char* key, const nlohmann::json& value) {
    nlohmann::json j = nlohmann::json::parse(hand_text(1, 0));
    if (value.is_null())
      j.erase(key);
    else
      j[key] = value;
    return j.dump();
  };
  EXPECT_THAT(why_no_hand(with("version", 2), m), testing::HasSubstr("version 1"));
  EXPECT_THAT(why_no_hand(with("abut", "wrench"), m), testing::HasSubstr("'abut'"));
  EXPECT_THAT(why_no_hand(with("position", {1, 2}), m), testing::HasSubstr("3 numbers"));
  EXPECT_THAT(why_no_hand(with("quaternion", nullptr), m), testing::HasSubstr("missing"));
  EXPECT_THAT(why_no_hand(with("sequence", -1), m), testing::HasSubstr("whole number"));
  EXPECT_THAT(why_no_hand(with("buttons", 0.5), m), testing::HasSubstr("whole number"));
  EXPECT_THAT(why_no_hand(with("linear_velocity", {1, 2, 3}), m), testing::HasSubstr("missing"));
  for (const std::string& junk :
       {std::string("junk"), std::string(), std::string("[]"), std::string(5000, '['),
        std::string(4000, '['), hand_text(1, 0) + "x"})
    EXPECT_NE(why_no_hand(junk, m), "") << junk.substr(0, 9);
}

TEST(WebSocketDevice, ServesOneBridgeAfterTheOther) {
  WebSocketDevice device(0);
  device.start(0.001);
  HandSample hand;
  EXPECT_FALSE(device.read(hand));
  device.write({{1, 2, 3}, {4, 5, 6}});
  std::string text;
  for (int bridge = 0; bridge < 2; ++bridge) {
    WebSocketClient client("127.0.0.1", std::to_string(device.port()), "/");
    ASSERT_TRUE(client.send("junk"));
    ASSERT_TRUE(client.receive(text));
    EXPECT_EQ(nlohmann::json::parse(text)["abut"], "error");
    ASSERT_TRUE(client.send(hand_text(3, 0.5 + bridge)));
    ASSERT_TRUE(client.receive(text));
    const nlohmann::json wrench = nlohmann::json::parse(text);
    EXPECT_EQ(wrench["answers"], 3);
    EXPECT_EQ(wrench["force"], nlohmann::json({1, 2, 3}));
    EXPECT_EQ(wrench["torque"], nlohmann::json({4, 5, 6}));
    EXPECT_EQ(wrench["last"], false);
    ASSERT_TRUE(device.read(hand));
    EXPECT_EQ(hand.pose.p.z(), 0.5 + bridge);
    client.close();
  }
  EXPECT_EQ(device.refused(), 2);
}

TEST(WebSocketDevice, LetsGoAtTheEnd) {
  WebSocketDevice device(0);
  WebSocketClient client("127.0.0.1", std::to_string(device.port()), "/");
  device.write({{1, 2, 3}, Vec3::Zero()});
  device.stop();
  std::string text;
  ASSERT_TRUE(client.send(hand_text(1, 0)));
  ASSERT_TRUE(client.receive(text));
  EXPECT_EQ(nlohmann::json::parse(text)["last"], true);
  EXPECT_EQ(nlohmann::json::parse(text)["force"], nlohmann::json({0, 0, 0}));
  EXPECT_FALSE(client.receive(text));
}

// A connection that says nothing, and one that is there at the end, hold nobody up.
TEST(WebSocketDevice, EndsWithABridgeThere) {
  const auto begin = std::chrono::steady_clock::now();
  {
    WebSocketDevice device(0);
    WebSocketClient client("127.0.0.1", std::to_string(device.port()), "/");
    EXPECT_THROW(WebSocketDevice(device.port()), std::runtime_error);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}

TEST(WebSocketDevice, PagesOfTheWebAreRefused) {
  for (const char* own :
       {"", "http://localhost", "http://localhost:8000", "https://127.0.0.1:1", "http://[::1]:80"})
    EXPECT_TRUE(is_own_origin(own)) << own;
  for (const char* other : {"null", "http://localhost.example.org", "https://example.org",
                            "http://127.0.0.1.example.org:80", "http://[::2]", "file://"})
    EXPECT_FALSE(is_own_origin(other)) << other;
}

}  // namespace
}  // namespace abut::test
