#include "abut/haptic/device/websocket.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <mutex>
#include <stdexcept>
#include <thread>

namespace abut::haptic {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::ip::tcp;
using Stream = beast::websocket::stream<beast::tcp_stream>;

namespace {

constexpr std::size_t kMostMessage = 1 << 20, kMostRequest = 1 << 14;  // bytes
constexpr auto kPatience = std::chrono::seconds(2);

bool receive_text(Stream& stream, std::string& text) {
  beast::error_code error;
  beast::flat_buffer buffer;
  stream.read(buffer, error);
  if (error) return false;
  text.assign(static_cast<const char*>(buffer.data().data()), buffer.size());
  return true;
}
bool send_text(Stream& stream, std::string_view text) {
  beast::error_code error;
  stream.text(true);
  stream.write(asio::buffer(text.data(), text.size()), error);
  return !error;
}
// The server's side of the beginning. A client that does not speak is given up.
bool shake_hands(asio::io_context& context, Stream& stream) {
  beast::error_code error;
  auto& socket = beast::get_lowest_layer(stream);
  socket.socket().set_option(tcp::no_delay(true), error);
  socket.expires_after(kPatience);
  beast::flat_buffer buffer(kMostRequest);
  beast::http::request<beast::http::empty_body> request;
  beast::http::async_read(stream.next_layer(), buffer, request,
                          [&](beast::error_code e, std::size_t) { error = e; });
  context.restart();
  context.run();
  const auto origin = request[beast::http::field::origin];
  if (error || !is_own_origin({origin.data(), origin.size()})) return false;
  stream.read_message_max(kMostMessage);
  stream.async_accept(request, [&](beast::error_code e) { error = e; });
  context.restart();
  context.run();
  socket.expires_never();
  return !error;
}
// Wakes a thread that waits in a read of this socket.
void cut(Stream& stream) {
  beast::error_code ignored;
  beast::get_lowest_layer(stream).socket().shutdown(tcp::socket::shutdown_both, ignored);
}

}  // namespace

struct WebSocketClient::Impl {
  asio::io_context context;
  Stream stream{context};
};

WebSocketClient::WebSocketClient(const std::string& host, const std::string& port,
                                 const std::string& path, double patience)
    : impl_(std::make_unique<Impl>()) {
  beast::error_code error;
  tcp::resolver resolver(impl_->context);
  const auto found = resolver.resolve(host, port, error);
  const auto within = std::chrono::milliseconds(static_cast<int>(1000 * patience));
  const auto wait = [&] {
    impl_->context.restart();
    impl_->context.run();
  };
  auto& socket = beast::get_lowest_layer(impl_->stream);
  if (!error) {
    socket.expires_after(within);
    socket.async_connect(found, [&](beast::error_code e, const tcp::endpoint&) { error = e; });
    wait();
  }
  if (!error) {
    socket.socket().set_option(tcp::no_delay(true), error);
    socket.expires_after(within);
    impl_->stream.read_message_max(kMostMessage);
    impl_->stream.async_handshake(host + ":" + port, path, [&](beast::error_code e) { error = e; });
    wait();
  }
  if (error)
    throw std::runtime_error(fmt::format("ws://{}:{}{}: {}", host, port, path, error.message()));
  socket.expires_never();
}

WebSocketClient::~WebSocketClient() = default;
bool WebSocketClient::receive(std::string& text) { return receive_text(impl_->stream, text); }
bool WebSocketClient::send(std::string_view text) { return send_text(impl_->stream, text); }
void WebSocketClient::close() { cut(impl_->stream); }

struct WebSocketServer::Impl {
  asio::io_context context;
  tcp::acceptor acceptor{context};
  std::uint16_t port = 0;
  Serve serve;
  std::mutex mutex;  // of stream and ends
  Stream* stream = nullptr;
  bool ends = false;
  std::thread thread;

  void listen(std::uint16_t asked) {
    const tcp::endpoint end(asio::ip::address_v4::loopback(), asked);
    beast::error_code error;
    acceptor.open(end.protocol(), error);
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(end, error);
    if (!error) acceptor.listen(4, error);
    if (error)
      throw std::runtime_error(fmt::format("cannot listen on 127.0.0.1:{}: {}; choose another port",
                                           asked, error.message()));
    port = acceptor.local_endpoint().port();
  }
  // Whether to go on.
  bool keep(Stream* now) {
    const std::lock_guard lock(mutex);
    stream = now;
    return !ends;
  }
  void run() {
    while (keep(nullptr)) {
      beast::error_code error;
      tcp::socket socket(context);
      acceptor.accept(socket, error);
      if (error) return;
      Stream now(std::move(socket));
      if (!keep(&now)) return;
      if (shake_hands(context, now))
        serve([&](std::string& text) { return receive_text(now, text); },
              [&](std::string_view text) { return send_text(now, text); });
      cut(now);
      keep(nullptr);
    }
  }
  void end() {
    const std::lock_guard lock(mutex);
    ends = true;
    if (stream != nullptr) cut(*stream);
  }
};

WebSocketServer::WebSocketServer(Serve serve, std::uint16_t port)
    : impl_(std::make_unique<Impl>()) {
  impl_->serve = std::move(serve);
  impl_->listen(port);
  impl_->thread = std::thread([this] { impl_->run(); });
}

WebSocketServer::~WebSocketServer() {
  impl_->end();
  // wakes an accept that still waits
  beast::error_code ignored;
  asio::io_context context;
  tcp::socket socket(context);
  socket.connect(tcp::endpoint(asio::ip::address_v4::loopback(), port()), ignored);
  socket.close(ignored);
  impl_->thread.join();
}

std::uint16_t WebSocketServer::port() const { return impl_->port; }

bool is_own_origin(std::string_view origin) {
  if (origin.empty()) return true;
  const auto scheme = origin.find("://");
  if (scheme == origin.npos) return false;
  std::string_view host = origin.substr(scheme + 3);
  host = host.substr(0, host.starts_with('[') ? host.find(']') + 1 : host.find(':'));
  return host == "localhost" || host == "127.0.0.1" || host == "[::1]";
}

WebSocketAddress parse_address(std::string_view text) {
  WebSocketAddress address;
  std::string rest(text);
  if (rest.rfind("ws://", 0) == 0) rest.erase(0, 5);
  if (const auto slash = rest.find('/'); slash != std::string::npos) {
    address.path = rest.substr(slash);
    rest.resize(slash);
  }
  const auto colon = rest.find(':');
  if (colon != std::string::npos) {
    address.port = rest.substr(colon + 1);
    rest.resize(colon);
  }
  if (!rest.empty()) address.host = rest;
  const bool is_number =
      !address.port.empty() && std::all_of(address.port.begin(), address.port.end(),
                                           [](char c) { return c >= '0' && c <= '9'; });
  if (!is_number || (rest.empty() && colon == std::string::npos))
    throw std::runtime_error(
        fmt::format("'{}' is no address of a WebSocket; write ws://localhost:10001", text));
  return address;
}

}  // namespace abut::haptic
