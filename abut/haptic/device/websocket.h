// A client and a server of WebSocket text messages, plain and blocking: the client is for a thread
// of its own, the server has one. Boost.Beast is behind it, in websocket.cpp alone.
//
//   abut::haptic::WebSocketClient socket("localhost", "10001", "/");
//   while (socket.receive(text)) socket.send(answer(text));
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace abut::haptic {

class WebSocketClient {
 public:
  // Throws std::runtime_error if nobody answers within `patience` seconds.
  WebSocketClient(const std::string& host, const std::string& port, const std::string& path,
                  double patience = 2);
  ~WebSocketClient();
  WebSocketClient(const WebSocketClient&) = delete;
  WebSocketClient& operator=(const WebSocketClient&) = delete;

  // Waits for a message; false: the other end has gone, or close() was called.
  bool receive(std::string& text);
  bool send(std::string_view text);
  // From any thread: receive() returns.
  void close();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// One client after the other, on loopback; `serve` has the conversation, and the connection ends with
// it. Pages of the web are refused: a browser says whose page it is, and only pages of this machine
// may talk to what runs on it.
class WebSocketServer {
 public:
  using Receive = std::function<bool(std::string&)>;
  using Send = std::function<bool(std::string_view)>;
  using Serve = std::function<void(const Receive&, const Send&)>;
  // Port 0: any that is free. Throws std::runtime_error.
  explicit WebSocketServer(Serve serve, std::uint16_t port = 0);
  ~WebSocketServer();
  WebSocketServer(const WebSocketServer&) = delete;
  WebSocketServer& operator=(const WebSocketServer&) = delete;
  std::uint16_t port() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether a page of this origin ("http://localhost:8000"; empty: no browser) is of this machine.
bool is_own_origin(std::string_view origin);

// "ws://HOST:PORT/PATH" as its parts. Throws std::runtime_error.
struct WebSocketAddress {
  std::string host = "localhost", port = "10001", path = "/";
};
WebSocketAddress parse_address(std::string_view text);

}  // namespace abut::haptic
