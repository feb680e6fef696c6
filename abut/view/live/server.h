// Server: pages and messages for browsers, by HTTP and WebSocket, on its own thread.
//
// It listens on loopback by default. Every request must carry the token, name this server as its
// host and, if it comes from a page, come from the server's own page. So a page of another site can
// neither read nor connect, whatever name it gives to this address. Messages are bounded in size
// and rate, connections in number and idle time.
//
// A connection takes one of the places only after a correct token. Connections without a token have
// a few seconds and a queue of their own; when the queue is full, the oldest is closed. So clients
// without the token cannot keep out clients that have it.
//
// Sending never blocks. Texts are queued, and a client that leaves too many unread is closed. Each
// lane has one slot for frames: a slow client gets the newest frame when it is ready, and misses
// those between.
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
  std::uint16_t port = 0;            // 0: any free port
  std::string token;                 // empty: a new one
  std::size_t most_clients = 16;     // connections of both kinds with a correct token
  std::size_t most_waiting = 256;    // connections without a token yet
  double token_time = 5;             // s: time limit for the token
  std::size_t most_message = 16384;  // bytes, of a client's message
  std::size_t most_upload = 0;       // bytes, of a POST; 0: not allowed
  int most_messages_a_second = 600;  // per client; a client that sends more is closed
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
  int clients() const;                  // number of clients with a socket
  std::uint64_t frames_missed() const;  // frames that slow clients missed so far

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

// 128 bits from the system's source of randomness, as letters and digits.
std::string new_token();

// Rules for requests of browsers (without a socket).
bool is_own_host(std::string_view host, std::string_view bind, std::uint16_t port);
bool is_own_origin(std::string_view origin, std::string_view host);
// The value of a field of a query: "token" of "/ws?token=abc&x=1".
std::string query_field(std::string_view target, std::string_view name);
bool equal_secrets(std::string_view a, std::string_view b);

}  // namespace abut::view
