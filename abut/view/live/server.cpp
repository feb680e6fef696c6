// The one source that knows Boost.Beast.
#include "abut/view/live/server.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <list>
#include <map>
#include <optional>
#include <thread>

#include "abut/view/live/out_queue.h"

namespace abut::view {

namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
namespace asio = boost::asio;
using tcp = asio::ip::tcp;
using Clock = std::chrono::steady_clock;
using Error = beast::error_code;

constexpr std::size_t kMostHeader = 16384;
constexpr auto kHttpTime = std::chrono::seconds(30);

using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

}  // namespace

struct Server::Impl : std::enable_shared_from_this<Server::Impl> {
  class Connection;

  Impl(ServerSettings s, ServerHandlers h) : settings(std::move(s)), handlers(std::move(h)) {}

  void accept();
  void forget(ClientId id);
  template <class Work>
  void later(Work&& work) {
    asio::post(*context, std::forward<Work>(work));
  }

  ServerSettings settings;
  ServerHandlers handlers;
  std::unique_ptr<asio::io_context> context = std::make_unique<asio::io_context>(1);
  std::optional<tcp::acceptor> acceptor;
  std::thread thread;
  std::uint16_t port = 0;
  std::list<Connection*> waiting;  // their token is not known yet; the oldest first
  std::size_t connections = 0;     // their token was right
  ClientId next_id = 1;
  std::map<ClientId, std::shared_ptr<Connection>> clients;
  std::atomic<int> client_count{0};
  std::atomic<std::uint64_t> missed{0};
};

// A request, and then either its answer or a socket.
class Server::Impl::Connection : public std::enable_shared_from_this<Connection> {
 public:
  Connection(std::shared_ptr<Impl> server, tcp::socket socket)
      : server_(std::move(server)), stream_(std::move(socket)) {
    server_->waiting.push_back(this);
  }
  ~Connection() {
    server_->waiting.remove(this);
    if (has_place_) --server_->connections;
  }

  void start() {
    stream_.expires_after(std::chrono::duration_cast<Clock::duration>(
        std::chrono::duration<double>(server_->settings.token_time)));
    parser_.header_limit(kMostHeader);
    parser_.body_limit(server_->settings.most_upload);
    http::async_read_header(stream_, buffer_, parser_,
                            [self = shared_from_this()](Error e, std::size_t) { self->asked(e); });
  }
  // Ends one that waits.
  void drop() {
    server_->waiting.remove(this);
    stream_.close();
  }

  void send(Text text) {
    if (!queue_.add(std::move(text))) return end();
    write();
  }
  void send_frame(std::size_t lane, const Text& bytes) {
    if (queue_.set_frame(lane, bytes)) ++server_->missed;
    write();
  }
  void end() {
    if (!socket_) return;
    Error ignored;
    beast::get_lowest_layer(*socket_).socket().shutdown(tcp::socket::shutdown_both, ignored);
    beast::get_lowest_layer(*socket_).socket().close(ignored);
  }

 private:
  // --- HTTP
  void asked(Error e) {
    if (e == http::error::body_limit || e == http::error::header_limit) return refuse_length();
    if (e) return;
    const Request& r = parser_.get();
    const std::string target(r.target());
    const std::string host(r[http::field::host]);
    const auto origin = r.find(http::field::origin);
    if (!is_own_host(host, server_->settings.bind, server_->port))
      return answer({403, "text/plain; charset=utf-8", "this address is not meant for you\n"});
    if (!equal_secrets(query_field(target, "token"), server_->settings.token))
      return answer({403, "text/plain; charset=utf-8",
                     "the token is missing or wrong: open the address that abut printed\n"});
    if (origin != r.end() && !is_own_origin(std::string(origin->value()), host))
      return answer({403, "text/plain; charset=utf-8", "a page of another origin asks in vain\n"});
    if (server_->connections >= server_->settings.most_clients)
      return answer({503, "text/plain; charset=utf-8",
                     "too many pages are open: close one of them, and load this one again\n"});
    take_place();
    if (parser_.is_done()) return respond();
    stream_.expires_after(kHttpTime);
    http::async_read(stream_, buffer_, parser_,
                     [self = shared_from_this()](Error problem, std::size_t) {
                       if (problem == http::error::body_limit) return self->refuse_length();
                       if (!problem) self->respond();
                     });
  }
  void refuse_length() { answer({413, "text/plain; charset=utf-8", "too long\n"}); }

  void take_place() {
    server_->waiting.remove(this);
    ++server_->connections;
    has_place_ = true;
  }

  void respond() {
    const Request& r = parser_.get();
    const std::string path(r.target().substr(0, r.target().find('?')));
    if (websocket::is_upgrade(r)) {
      if (path != "/ws") return answer({404, "text/plain; charset=utf-8", "no socket there\n"});
      return upgrade();
    }
    try {
      if (r.method() == http::verb::get)
        answer(server_->handlers.get(path));
      else if (r.method() == http::verb::post && server_->handlers.post)
        answer(server_->handlers.post(path, std::string(r.body())));
      else
        answer({405, "text/plain; charset=utf-8", "only GET\n"});
    } catch (const std::exception& problem) {
      answer({500, "text/plain; charset=utf-8", std::string(problem.what()) + "\n"});
    }
  }

  void answer(Answer a) {
    response_.emplace(static_cast<http::status>(a.status), 11);
    response_->set(http::field::content_type, a.type);
    response_->set(http::field::cache_control, "no-store");
    response_->set("X-Content-Type-Options", "nosniff");
    response_->set("X-Frame-Options", "DENY");
    response_->set("Referrer-Policy", "no-referrer");
    response_->set("Cross-Origin-Resource-Policy", "same-origin");
    response_->set("Content-Security-Policy",
                   "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
                   "img-src data: blob:; connect-src 'self'; frame-ancestors 'none'");
    response_->body() = std::move(a.body);
    response_->keep_alive(false);
    response_->prepare_payload();
    if (has_place_) stream_.expires_after(kHttpTime);
    http::async_write(stream_, *response_, [self = shared_from_this()](Error, std::size_t) {
      Error ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  // --- WebSocket
  void upgrade() {
    stream_.expires_never();
    socket_.emplace(std::move(stream_));
    auto timeout = websocket::stream_base::timeout::suggested(beast::role_type::server);
    timeout.idle_timeout = std::chrono::seconds(60);
    timeout.keep_alive_pings = true;
    socket_->set_option(timeout);
    socket_->read_message_max(server_->settings.most_message);
    socket_->async_accept(parser_.get(), [self = shared_from_this()](Error e) {
      if (e) return;
      self->id_ = self->server_->next_id++;
      self->server_->clients[self->id_] = self;
      ++self->server_->client_count;
      self->open_ = true;
      self->read();
      if (self->server_->handlers.opened) self->server_->handlers.opened(self->id_);
    });
  }

  void read() {
    socket_->async_read(buffer_, [self = shared_from_this()](Error e, std::size_t) {
      if (e) return self->gone();
      if (self->too_many()) {
        self->end();
        return self->gone();
      }
      const std::string text = beast::buffers_to_string(self->buffer_.data());
      self->buffer_.consume(self->buffer_.size());
      if (self->socket_->got_text() && self->server_->handlers.received)
        self->server_->handlers.received(self->id_, text);
      self->read();
    });
  }

  bool too_many() {
    const auto now = Clock::now();
    if (now - second_ > std::chrono::seconds(1)) {
      second_ = now;
      in_second_ = 0;
    }
    return ++in_second_ > server_->settings.most_messages_a_second;
  }

  // One message at a time.
  void write() {
    if (writing_ || !open_) return;
    const OutQueue::Message next = queue_.take();
    if (!next.bytes) return;
    writing_ = true;
    socket_->text(next.is_text);
    socket_->async_write(asio::buffer(*next.bytes),
                         [self = shared_from_this(), next](Error e, std::size_t) {
                           self->writing_ = false;
                           if (e) return self->gone();
                           self->write();
                         });
  }

  void gone() {
    if (!open_) return;
    open_ = false;
    queue_.clear();
    server_->forget(id_);
  }

  std::shared_ptr<Impl> server_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::string_body> parser_;
  std::optional<Response> response_;
  std::optional<websocket::stream<beast::tcp_stream>> socket_;
  ClientId id_ = 0;
  bool has_place_ = false, open_ = false, writing_ = false;
  OutQueue queue_;
  Clock::time_point second_{};
  int in_second_ = 0;
};

void Server::Impl::accept() {
  acceptor->async_accept([self = shared_from_this()](Error e, tcp::socket socket) {
    if (e == asio::error::operation_aborted) return;
    if (!e) {
      if (self->waiting.size() >= self->settings.most_waiting && !self->waiting.empty())
        self->waiting.front()->drop();
      std::make_shared<Connection>(self, std::move(socket))->start();
    }
    self->accept();
  });
}

void Server::Impl::forget(ClientId id) {
  if (clients.erase(id) == 0) return;
  --client_count;
  if (handlers.closed) handlers.closed(id);
}

Server::Server(ServerSettings settings, ServerHandlers handlers)
    : impl_(std::make_shared<Impl>(std::move(settings), std::move(handlers))) {
  ServerSettings& s = impl_->settings;
  if (s.token.empty()) s.token = new_token();
  Error e;
  const auto address = asio::ip::make_address(s.bind, e);
  if (e) throw ServerError(s.bind + " is no address to listen on; write one such as 127.0.0.1");
  const tcp::endpoint endpoint(address, s.port);
  impl_->acceptor.emplace(*impl_->context);
  tcp::acceptor& a = *impl_->acceptor;
  a.open(endpoint.protocol(), e);
  if (!e) a.set_option(asio::socket_base::reuse_address(true), e);
  if (!e) a.bind(endpoint, e);
  if (!e) a.listen(asio::socket_base::max_listen_connections, e);
  if (e)
    throw ServerError(fmt::format("cannot listen on {} port {}: {}", s.bind, s.port, e.message()));
  impl_->port = a.local_endpoint().port();
  impl_->accept();
  impl_->thread = std::thread([impl = impl_] { impl->context->run(); });
}

Server::~Server() {
  impl_->later([impl = impl_] {
    Error ignored;
    impl->acceptor->close(ignored);
    for (auto& [id, client] : impl->clients) client->end();
    // connections that only just began have no other end
    impl->context->stop();
  });
  impl_->thread.join();
  impl_->clients.clear();
  impl_->acceptor.reset();
  // what still waits in there holds connections, and these the server
  impl_->context.reset();
}

std::uint16_t Server::port() const { return impl_->port; }
const std::string& Server::token() const { return impl_->settings.token; }

std::string Server::address() const {
  const std::string& bind = impl_->settings.bind;
  const std::string host = bind == "0.0.0.0" || bind == "::"     ? "127.0.0.1"
                           : bind.find(':') != std::string::npos ? "[" + bind + "]"
                                                                 : bind;
  return fmt::format("http://{}:{}/?token={}", host, impl_->port, token());
}

void Server::send_text(ClientId client, Text text) {
  impl_->later([impl = impl_, client, text = std::move(text)]() mutable {
    const auto it = impl->clients.find(client);
    if (it == impl->clients.end()) return;
    const auto keep = it->second;  // sending may close it
    keep->send(std::move(text));
  });
}

void Server::send_text_to_all(Text text) {
  impl_->later([impl = impl_, text = std::move(text)] {
    const auto all = impl->clients;
    for (const auto& [id, client] : all) client->send(text);
  });
}

void Server::send_frame(int lane, Text bytes) {
  if (lane < 0 || lane >= static_cast<int>(OutQueue::kLanes) || impl_->client_count == 0) return;
  impl_->later([impl = impl_, lane, bytes = std::move(bytes)] {
    for (const auto& [id, client] : impl->clients)
      client->send_frame(static_cast<std::size_t>(lane), bytes);
  });
}

void Server::close(ClientId client) {
  impl_->later([impl = impl_, client] {
    if (const auto it = impl->clients.find(client); it != impl->clients.end()) it->second->end();
  });
}

int Server::clients() const { return impl_->client_count; }
std::uint64_t Server::frames_missed() const { return impl_->missed; }

}  // namespace abut::view
