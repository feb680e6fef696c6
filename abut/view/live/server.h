// Server: pages and messages for browsers, HTTP and WebSocket, on a thread of its own.
//
// It listens on loopback unless told otherwise. Every request must carry the token, name this
// server as its host and come from its own page, if it comes from a page: another site's page can
// neither read nor connect, whatever name it gives to this address. Messages are bounded in size
// and rate, connections in number and idle time.
//
// A connection takes one of the places only when its token was right. Those that have not said it
// yet have a few seconds for it and a line of their own, from which the oldest is closed when it is
// full: whoever does not know the token keeps nobody out who does.
//
// Sending never waits. Texts are queued, and a client that lets too many of them lie is closed. Of
// frames there is one place a lane: a client that is slow gets the newest when it is ready, and
// misses those between.
//
//   abut::view::Server server({.port = 8080}, handlers);
//   open_in_browser(server.address());
//   server.send_frame(0, std::make_shared<const std::string>(bytes));
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

namespace abut::view {

class ServerError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct ServerSettings {
  std::string bind = "127.0.0.1";
  std::uint16_t port = 0;            // 0: any that is free
  std::string token;                 // empty: a new one
  std::size_t most_clients = 16;     // connections of both kinds, whose token was right
  std::size_t most_waiting = 256;    // connections whose token is not known yet
  double token_time = 5;             // s, that these have to say it
  std::size_t most_message = 16384;  // bytes, of a client's message
  std::size_t most_upload = 0;       // bytes, of a POST; 0: there are none
  int most_messages_a_second = 600;  // of a client; one that sends more is closed
};

using ClientId = std::uint64_t;

struct Answer {
  int status = 200;
  std::string type = "text/plain; charset=utf-8", body;
};

// Called on the server's thread, one at a time.
struct ServerHandlers {
  std::function<Answer(std::string_view path)> get;
  std::function<Answer(std::string_view path, std::string&& body)> post = {};
  std::function<void(ClientId)> opened = {};
  std::function<void(ClientId, std::string_view text)> received = {};
  std::function<void(ClientId)> closed = {};
};

class Server {
 public:
  // Throws ServerError if it cannot listen.
  Server(ServerSettings settings, ServerHandlers handlers);
  ~Server();  // closes every connection
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  const std::string& token() const;
  std::string address() const;  // with the token

  using Text = std::shared_ptr<const std::string>;
  // From any thread.
  void send_text(ClientId client, Text text);
  void send_text_to_all(Text text);
  void send_frame(int lane, Text bytes);
  void close(ClientId client);
  int clients() const;                  // that have a socket
  std::uint64_t frames_missed() const;  // by slow clients, so far

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// 128 bits from the system's source of randomness, as letters and digits.
std::string new_token();

// Of the requests of browsers (Server's own rules, without a socket).
bool is_own_host(std::string_view host, std::string_view bind, std::uint16_t port);
bool is_own_origin(std::string_view origin, std::string_view host);
// The value of a field of a query: "token" of "/ws?token=abc&x=1".
std::string query_field(std::string_view target, std::string_view name);
bool equal_secrets(std::string_view a, std::string_view b);

}  // namespace abut::view
