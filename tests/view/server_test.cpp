// The door: who gets in, and that nobody who does can hold it.
#include "abut/view/live/server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <random>
#include <thread>

namespace abut::view {
namespace {

using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;

// A plain socket to this machine: it says what no library would let it say.
class Wire {
 public:
  explicit Wire(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    timeval wait{5, 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
    setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
    connected = connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
  }
  ~Wire() { close(fd_); }
  Wire(const Wire&) = delete;
  Wire& operator=(const Wire&) = delete;

  bool say(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t n = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (n <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
  }
  // Up to `most` bytes, or until the other side closes.
  std::string hear(std::size_t most = 1 << 24) {
    std::string out;
    char buffer[65536];
    while (out.size() < most) {
      const ssize_t n = recv(fd_, buffer, std::min(sizeof buffer, most - out.size()), 0);
      if (n <= 0) break;
      out.append(buffer, static_cast<std::size_t>(n));
    }
    return out;
  }
  std::string head() {
    std::string out;
    while (out.find("\r\n\r\n") == std::string::npos) {
      const std::string more = hear(1);
      if (more.empty()) break;
      out += more;
    }
    return out;
  }
  bool is_closed() { return hear(1).empty(); }

  bool connected = false;

 private:
  int fd_;
};

// A text of a client, masked as the standard wants it.
std::string message(std::string_view text) {
  std::string out = "\x81";
  if (text.size() < 126) {
    out += static_cast<char>(0x80 | text.size());
  } else {
    out += static_cast<char>(0x80 | 127);
    for (int shift = 56; shift >= 0; shift -= 8) out += static_cast<char>(text.size() >> shift);
  }
  out += std::string(4, '\0');  // a mask of zeros changes nothing
  return out.append(text);
}

struct Door {
  std::atomic<int> opened{0}, closed{0}, received{0};
  ServerHandlers handlers() {
    ServerHandlers h;
    h.get = [](std::string_view path) {
      return path == "/" ? Answer{200, "text/html", "<p>here</p>"}
                         : Answer{404, "text/plain", "no"};
    };
    h.opened = [this](ClientId) { ++opened; };
    h.closed = [this](ClientId) { ++closed; };
    h.received = [this](ClientId, std::string_view) { ++received; };
    return h;
  }
};

std::string get(const Server& s, const std::string& target, const std::string& more = "",
                std::string host = "") {
  if (host.empty()) host = "127.0.0.1:" + std::to_string(s.port());
  Wire wire(s.port());
  wire.say("GET " + target + " HTTP/1.1\r\nHost: " + host + "\r\n" + more + "\r\n");
  return wire.hear();
}

std::string upgrade(const Server& s, const std::string& origin) {
  return "GET /ws?token=" + s.token() + " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(s.port()) +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: "
         "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n" +
         (origin.empty() ? "" : "Origin: " + origin + "\r\n") + "\r\n";
}
std::string own_origin(const Server& s) { return "http://127.0.0.1:" + std::to_string(s.port()); }

template <class Condition>
bool soon(const Condition& condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

TEST(Server, TokensAreLongAndNeverTheSame) {
  EXPECT_EQ(new_token().size(), 26u);
  EXPECT_NE(new_token(), new_token());
  EXPECT_TRUE(equal_secrets("abc", "abc"));
  EXPECT_FALSE(equal_secrets("abc", "abd"));
  EXPECT_FALSE(equal_secrets("abc", "ab"));
  EXPECT_FALSE(equal_secrets("", ""));
}

TEST(Server, KnowsItsOwnNames) {
  EXPECT_TRUE(is_own_host("127.0.0.1:80", "127.0.0.1", 80));
  EXPECT_TRUE(is_own_host("localhost:80", "127.0.0.1", 80));
  EXPECT_FALSE(is_own_host("evil.example:80", "127.0.0.1", 80));
  EXPECT_FALSE(is_own_host("127.0.0.1:81", "127.0.0.1", 80));
  EXPECT_FALSE(is_own_host("127.0.0.1.evil.example:80", "127.0.0.1", 80));
  EXPECT_TRUE(is_own_host("192.168.1.5:80", "0.0.0.0", 80));
  EXPECT_FALSE(is_own_host("192.168.1.5:80", "127.0.0.1", 80));
  EXPECT_FALSE(is_own_host("evil.example:80", "0.0.0.0", 80));
  EXPECT_FALSE(is_own_host(":80", "0.0.0.0", 80));
  EXPECT_TRUE(is_own_origin("http://127.0.0.1:80", "127.0.0.1:80"));
  EXPECT_FALSE(is_own_origin("http://127.0.0.1:80.evil.example", "127.0.0.1:80"));
  EXPECT_FALSE(is_own_origin("null", "127.0.0.1:80"));
  EXPECT_EQ(query_field("/ws?a=1&token=x&b", "token"), "x");
  EXPECT_EQ(query_field("/ws?atoken=1", "token"), "");
}

TEST(Server, GivesThePageToThoseWithTheToken) {
  Door door;
  const Server s({}, door.handlers());
  const std::string good = get(s, "/?token=" + s.token());
  EXPECT_THAT(good, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(good, HasSubstr("<p>here</p>"));
  EXPECT_THAT(good, HasSubstr("default-src 'none'"));
  EXPECT_THAT(get(s, "/"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get(s, "/?token=wrong"), StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get(s, "/other?token=" + s.token()), StartsWith("HTTP/1.1 404"));
  // a name that someone gave to this machine, and a page from elsewhere
  EXPECT_THAT(get(s, "/?token=" + s.token(), "", "evil.example:" + std::to_string(s.port())),
              StartsWith("HTTP/1.1 403"));
  EXPECT_THAT(get(s, "/?token=" + s.token(), "Origin: http://evil.example\r\n"),
              StartsWith("HTTP/1.1 403"));
  Wire post(s.port());
  post.say("POST /?token=" + s.token() + " HTTP/1.1\r\nHost: 127.0.0.1:" +
           std::to_string(s.port()) + "\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_THAT(post.hear(), StartsWith("HTTP/1.1 413"));
}

TEST(Server, SocketsAreForItsOwnPage) {
  Door door;
  const Server s({}, door.handlers());
  Wire good(s.port()), other(s.port()), null(s.port());
  good.say(upgrade(s, own_origin(s)));
  EXPECT_THAT(good.head(), StartsWith("HTTP/1.1 101"));
  other.say(upgrade(s, "http://evil.example"));
  EXPECT_THAT(other.head(), StartsWith("HTTP/1.1 403"));
  null.say(upgrade(s, "null"));
  EXPECT_THAT(null.head(), StartsWith("HTTP/1.1 403"));
  good.say(message("hello"));
  EXPECT_TRUE(soon([&] { return door.received == 1; }));
  EXPECT_EQ(door.opened, 1);
}

TEST(Server, LongMessagesAndFloodsEndTheConnection) {
  Door door;
  const Server s({}, door.handlers());
  Wire longer(s.port()), flood(s.port());
  longer.say(upgrade(s, own_origin(s)));
  longer.head();
  longer.say(message(std::string(20000, 'x')));
  EXPECT_TRUE(soon([&] { return door.closed == 1; }));
  flood.say(upgrade(s, own_origin(s)));
  flood.head();
  std::string many;
  for (int i = 0; i < 2000; ++i) many += message("{}");
  flood.say(many);
  EXPECT_TRUE(soon([&] { return door.closed == 2; }));
  EXPECT_LE(door.received, 700);
}

// One that never reads costs a few buffers; the other has all that it can take.
TEST(Server, AStalledClientMissesFramesAndHoldsNobodyUp) {
  Door door;
  Server s({}, door.handlers());
  Wire stalled(s.port()), reader(s.port());
  for (Wire* w : {&stalled, &reader}) {
    w->say(upgrade(s, own_origin(s)));
    w->head();
  }
  ASSERT_TRUE(soon([&] { return door.opened == 2; }));
  const auto frame = std::make_shared<const std::string>(std::string(200'000, 'f'));
  std::atomic<std::size_t> heard{0};
  std::thread reading([&] {
    while (heard < 20'000'000) {
      const std::string more = reader.hear(100'000);
      if (more.empty()) break;
      heard += more.size();
    }
  });
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 3000 && heard < 20'000'000; ++i) {
    s.send_frame(0, frame);
    std::this_thread::sleep_for(1ms);
  }
  reading.join();
  EXPECT_GE(heard, 20'000'000u);
  EXPECT_GT(s.frames_missed(), 0u);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 20s);
  EXPECT_EQ(s.clients(), 2);
}

TEST(Server, NobodyGetsMoreThanTheQueueHolds) {
  Door door;
  Server s({}, door.handlers());
  Wire stalled(s.port());
  stalled.say(upgrade(s, own_origin(s)));
  stalled.head();
  ASSERT_TRUE(soon([&] { return door.opened == 1; }));
  const auto text = std::make_shared<const std::string>(std::string(1'000'000, 't'));
  for (int i = 0; i < 100; ++i) s.send_text_to_all(text);
  EXPECT_TRUE(soon([&] { return door.closed == 1; }));
  EXPECT_EQ(s.clients(), 0);
}

// Bytes of no protocol, on connections of both kinds; the server answers afterwards as before.
TEST(Server, WithstandsNoise) {
  Door door;
  const Server s({}, door.handlers());
  std::mt19937 random(7);
  for (int i = 0; i < 40; ++i) {
    std::string noise;
    for (int k = 0; k < 300; ++k) noise += static_cast<char>(random());
    Wire plain(s.port()), socket(s.port());
    plain.say(noise);
    socket.say(upgrade(s, own_origin(s)));
    if (i % 2) socket.head();
    socket.say(noise);
  }
  EXPECT_TRUE(soon([&] { return get(s, "/?token=" + s.token()).starts_with("HTTP/1.1 200"); }));
}

TEST(Server, ThereIsAnEndToConnections) {
  Door door;
  ServerSettings few;
  few.most_clients = 3;
  const Server s(few, door.handlers());
  std::vector<std::unique_ptr<Wire>> wires;
  for (int i = 0; i < 3; ++i) {
    wires.push_back(std::make_unique<Wire>(s.port()));
    wires.back()->say(upgrade(s, own_origin(s)));
    EXPECT_THAT(wires.back()->head(), StartsWith("HTTP/1.1 101"));
  }
  Wire late(s.port());
  late.say(upgrade(s, own_origin(s)));
  EXPECT_THAT(late.hear(), StartsWith("HTTP/1.1 503"));
  wires.pop_back();
  EXPECT_TRUE(soon([&] {
    Wire again(s.port());
    again.say(upgrade(s, own_origin(s)));
    return again.head().starts_with("HTTP/1.1 101");
  }));
}

// Whoever does not know the token keeps nobody out who does: half-open connections, those that
// speak slowly, those with a wrong token that never read their answer.
TEST(Server, StrangersTakeNoPlaces) {
  Door door;
  ServerSettings few;
  few.most_clients = 4;  // three sockets, and the page whose connection may still be closing
  const Server s(few, door.handlers());
  std::vector<std::unique_ptr<Wire>> strangers;
  for (int i = 0; i < 200; ++i) {
    strangers.push_back(std::make_unique<Wire>(s.port()));
    if (i % 3 == 1) strangers.back()->say("GET / HTTP/1.1\r\nHost: ");
    if (i % 3 == 2) strangers.back()->say("GET /?token=no HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(get(s, "/?token=" + s.token()), StartsWith("HTTP/1.1 200"));
  std::vector<std::unique_ptr<Wire>> own;
  for (int i = 0; i < 3; ++i) {
    own.push_back(std::make_unique<Wire>(s.port()));
    own.back()->say(upgrade(s, own_origin(s)));
    EXPECT_THAT(own.back()->head(), StartsWith("HTTP/1.1 101"));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, 3s);
  // a client counts once its answer is written, which it may read before
  EXPECT_TRUE(soon([&] { return s.clients() == 3; }));
}

TEST(Server, TheOldestStrangerGoesFirst) {
  Door door;
  ServerSettings few;
  few.most_waiting = 4;
  const Server s(few, door.handlers());
  std::vector<std::unique_ptr<Wire>> strangers;
  for (int i = 0; i < 6; ++i) strangers.push_back(std::make_unique<Wire>(s.port()));
  EXPECT_TRUE(strangers[0]->is_closed());
  EXPECT_TRUE(strangers[1]->is_closed());
  // the others still have their time
  const std::string host = "\r\nHost: 127.0.0.1:" + std::to_string(s.port()) + "\r\n\r\n";
  strangers[2]->say("GET /?token=" + s.token() + " HTTP/1.1" + host);
  EXPECT_THAT(strangers[2]->hear(), StartsWith("HTTP/1.1 200"));
  strangers[5]->say("GET /?token=" + s.token() + " HTTP/1.1" + host);
  EXPECT_THAT(strangers[5]->hear(), StartsWith("HTTP/1.1 200"));
}

// A byte now and then does not make the time longer.
TEST(Server, StrangersHaveLittleTime) {
  Door door;
  ServerSettings hasty;
  hasty.token_time = 0.3;
  const Server s(hasty, door.handlers());
  Wire silent(s.port()), slow(s.port());
  const auto start = std::chrono::steady_clock::now();
  std::atomic<bool> stop{false};
  std::thread drip([&] {
    slow.say("GET / HTTP/1.1\r\nX: ");
    while (!stop && slow.say("x")) std::this_thread::sleep_for(20ms);
  });
  EXPECT_TRUE(silent.is_closed());
  EXPECT_TRUE(slow.is_closed());
  stop = true;
  drip.join();
  EXPECT_LT(std::chrono::steady_clock::now() - start, 3s);
}

// The body of a request is read only of those that know the token.
TEST(Server, StrangersUploadNothing) {
  Door door;
  ServerSettings settings;
  settings.most_upload = 1 << 20;
  ServerHandlers handlers = door.handlers();
  std::atomic<std::size_t> uploaded{0};
  handlers.post = [&](std::string_view, std::string&& body) {
    uploaded = body.size();
    return Answer{200, "text/plain", "thanks"};
  };
  const Server s(settings, handlers);
  const auto post = [&](const std::string& token, std::size_t length) {
    Wire wire(s.port());
    wire.say("POST /up?token=" + token +
             " HTTP/1.1\r\nHost: 127.0.0.1:" + std::to_string(s.port()) +
             "\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n");
    const bool stranger = token != s.token();
    if (!stranger) wire.say(std::string(length, 'u'));
    return wire.head();
  };
  EXPECT_THAT(post("no", 1000), StartsWith("HTTP/1.1 403"));  // without waiting for the body
  EXPECT_THAT(post(s.token(), 100'000), StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(uploaded, 100'000u);
  EXPECT_THAT(post(s.token(), 2 << 20), StartsWith("HTTP/1.1 413"));
}

TEST(Server, EndsWithConnectionsOpen) {
  Door door;
  auto s = std::make_unique<Server>(ServerSettings{}, door.handlers());
  Wire half(s->port()), whole(s->port());
  half.say("GET / HT");
  whole.say(upgrade(*s, own_origin(*s)));
  whole.head();
  s.reset();
  EXPECT_TRUE(whole.is_closed());
}

TEST(Server, SaysWhatItCannotListenOn) {
  Door door;
  ServerSettings bad;
  bad.bind = "not an address";
  EXPECT_THROW(Server(bad, door.handlers()), ServerError);
  const Server first({}, door.handlers());
  ServerSettings taken;
  taken.port = first.port();
  EXPECT_THROW(Server(taken, door.handlers()), ServerError);
}

}  // namespace
}  // namespace abut::view
