#include "connection.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <chrono>
#include <deque>
#include <optional>
#include <utility>

#include "studio/message.h"
#include "studio/messages.h"

namespace cutset::studio {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Socket = asio::ip::tcp::socket;
using Error = beast::error_code;
using Clock = std::chrono::steady_clock;

constexpr std::size_t most_header_bytes = 16384;
constexpr std::size_t most_waiting_bytes = std::size_t(64) << 20;  // for a tab that reads slowly
constexpr auto longest_header = std::chrono::seconds(10);
constexpr auto longest_hello = std::chrono::seconds(10);
constexpr double calls_each_second = 50, most_at_once = 200;
constexpr unsigned most_pings = 100;  // in a second
constexpr std::uint16_t wrong_token = 4401;

class BrowserConnection final : public Connection,
                                public Tab,
                                public std::enable_shared_from_this<BrowserConnection> {
  public:
    BrowserConnection(int socket, ServerState& server)
        : server_(server), stream_(adopt(socket)), timer_(context_) {}

    void run() override {
        parser_.header_limit(most_header_bytes);
        parser_.body_limit(0);
        stream().expires_after(longest_header);
        http::async_read_header(
            stream(), buffer_, parser_,
            [self = shared_from_this()](Error error, std::size_t) { self->got_header(error); });
        context_.run();
        if (number_ != 0) server_.supervisor.leave(number_);
        number_ = 0;
    }

    void end() override {
        asio::post(context_, [self = shared_from_this()] { self->drop(); });
    }

    bool is_tab() const override { return number_ != 0; }

    // ---- Tab
    void send_text(std::string text) override { enqueue({false, 0, std::move(text)}); }
    void send_binary(std::string bytes) override { enqueue({true, 0, std::move(bytes)}); }
    void send_latest(std::uint64_t key, std::string bytes) override {
        enqueue({true, key, std::move(bytes)});
    }

  private:
    struct Outgoing {
        bool binary = false;
        std::uint64_t key = 0;  // not 0: replaces what waits with the same key
        std::string bytes;
    };

    beast::tcp_stream adopt(int socket) {
        Socket accepted(context_);
        accepted.assign(asio::ip::tcp::v4(), socket);
        accepted.set_option(asio::ip::tcp::no_delay(true));
        return beast::tcp_stream(std::move(accepted));
    }
    beast::tcp_stream& stream() { return stream_.next_layer(); }

    // ---- HTTP
    bool is_host(beast::string_view host) const {
        const std::string port = ":" + std::to_string(server_.port);
        return host == "127.0.0.1" + port || host == "localhost" + port;
    }
    static std::size_t count(const http::request<http::empty_body>& request, http::field name) {
        const auto range = request.equal_range(name);
        return std::size_t(std::distance(range.first, range.second));
    }
    // Why it is refused, or http::status::ok.
    http::status judge(const http::request<http::empty_body>& request) const {
        if (request.version() != 11) return http::status::http_version_not_supported;
        if (count(request, http::field::host) != 1 || !is_host(request[http::field::host]))
            return http::status::misdirected_request;
        if (request.method() != http::verb::get && request.method() != http::verb::head)
            return http::status::method_not_allowed;
        if (request.has_content_length() || request.chunked()) return http::status::bad_request;
        const auto site = request["Sec-Fetch-Site"];
        if (!site.empty() && site != "same-origin" && site != "none") return http::status::forbidden;
        return http::status::ok;
    }
    bool is_own_origin(const http::request<http::empty_body>& request) const {
        const auto origin = request[http::field::origin];
        return count(request, http::field::origin) == 1 && origin.starts_with("http://") &&
               is_host(origin.substr(7));
    }

    void got_header(Error error) {
        if (error == http::error::header_limit) return refuse(http::status::request_header_fields_too_large);
        if (error == http::error::end_of_stream || error == beast::error::timeout) return drop();
        if (error) return refuse(http::status::bad_request);
        const auto& request = parser_.get();
        if (const http::status status = judge(request); status != http::status::ok) return refuse(status);
        if (request.target() == "/session") {
            if (!websocket::is_upgrade(request)) return refuse(http::status::upgrade_required);
            if (!is_own_origin(request)) return refuse(http::status::forbidden);
            return upgrade();
        }
        const auto file = server_.page.find(std::string(request.target()));
        if (file == server_.page.end()) return refuse(http::status::not_found);
        respond(http::status::ok, file->second.type, file->second.bytes);
    }

    void refuse(http::status status) {
        respond(status, "text/plain; charset=utf-8", std::string(http::obsolete_reason(status)) + "\n");
    }

    void respond(http::status status, const std::string& type, const std::string& body) {
        response_ = {status, 11};
        response_.set(http::field::content_type, type);
        response_.set(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' "
            "data: blob:; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
        response_.set("X-Content-Type-Options", "nosniff");
        response_.set("X-Frame-Options", "DENY");
        response_.set("Referrer-Policy", "no-referrer");
        response_.set("Cross-Origin-Opener-Policy", "same-origin");
        response_.set("Cross-Origin-Resource-Policy", "same-origin");
        response_.set(http::field::cache_control, "no-store");
        if (status == http::status::method_not_allowed) response_.set(http::field::allow, "GET, HEAD");
        response_.keep_alive(false);
        response_.content_length(body.size());
        const bool head = parser_.is_header_done() && parser_.get().method() == http::verb::head;
        if (!head) response_.body() = body;
        stream().expires_after(longest_header);
        http::async_write(stream(), response_, [self = shared_from_this()](Error, std::size_t) {
            Error ignored;
            self->stream().socket().shutdown(Socket::shutdown_send, ignored);
            self->drop();
        });
    }

    // ---- WebSocket
    void upgrade() {
        stream().expires_never();
        websocket::stream_base::timeout times =
            websocket::stream_base::timeout::suggested(beast::role_type::server);
        times.keep_alive_pings = true;
        stream_.set_option(times);
        stream_.read_message_max(most_message_bytes);
        stream_.auto_fragment(false);
        stream_.control_callback([this](websocket::frame_type, beast::string_view) { count_control(); });
        stream_.async_accept(parser_.get(), [self = shared_from_this()](Error error) {
            if (error) return self->drop();
            self->open_ = true;
            self->timer_.expires_after(longest_hello);
            self->timer_.async_wait([self](Error cancelled) {
                if (!cancelled && self->number_ == 0) self->close(wrong_token, "no hello");
            });
            self->read();
        });
    }

    void read() {
        buffer_.consume(buffer_.size());
        stream_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) {
            if (error || self->closing_) return self->drop();
            self->got_message();
        });
    }

    void got_message() {
        if (!stream_.got_text()) return close(websocket::close_code::unknown_data, "texts are expected");
        std::string problem;
        auto call = read_call(beast::buffers_to_string(buffer_.data()), problem);
        if (!call) return close(websocket::close_code::policy_error, problem);
        if (number_ == 0) {
            if (!hello(*call)) return;
        } else {
            server_.supervisor.call(number_, std::move(*call));
        }
        // Who calls more often is heard later.
        const Clock::time_point now = Clock::now();
        credit_ = std::min(most_at_once,
                           credit_ + calls_each_second * std::chrono::duration<double>(now - seen_).count());
        seen_ = now;
        credit_ -= 1;
        if (credit_ >= 0) return read();
        timer_.expires_after(std::chrono::duration_cast<Clock::duration>(
            std::chrono::duration<double>(-credit_ / calls_each_second)));
        timer_.async_wait([self = shared_from_this()](Error cancelled) {
            if (!cancelled) self->read();
        });
    }

    bool hello(const Call& call) {
        Arguments arguments(call.arguments);
        const double protocol = arguments.number("protocol");
        const std::string token = arguments.text("token");
        if (call.name != "hello" || arguments.problem() || !equal_secrets(token, server_.token)) {
            ++server_.wrong_tokens;
            close(wrong_token, "the token is wrong");
            return false;
        }
        if (protocol != protocol_version) {
            send_text(answer_text(call.id, messages::wrong_protocol(protocol)));
            close(websocket::close_code::policy_error, "another protocol");
            return false;
        }
        timer_.cancel();
        number_ = server_.supervisor.join(shared_from_this());
        send_text(answer_text(call.id, server_.supervisor.welcome(number_)));
        return true;
    }

    void count_control() {
        const Clock::time_point now = Clock::now();
        if (now - pinged_ > std::chrono::seconds(1)) {
            pinged_ = now;
            pings_ = 0;
        }
        if (++pings_ > most_pings) drop();
    }

    // ---- sending
    void enqueue(Outgoing message) {
        asio::post(context_, [self = shared_from_this(), message = std::move(message)]() mutable {
            if (!self->open_) return;
            if (message.key != 0)
                for (std::size_t i = self->writing_ ? 1 : 0; i < self->outgoing_.size(); ++i)
                    if (self->outgoing_[i].key == message.key) {
                        self->waiting_ += message.bytes.size();
                        self->waiting_ -= self->outgoing_[i].bytes.size();
                        self->outgoing_[i] = std::move(message);
                        return;
                    }
            self->waiting_ += message.bytes.size();
            if (self->waiting_ > most_waiting_bytes) return self->drop();
            self->outgoing_.push_back(std::move(message));
            self->write();
        });
    }

    void write() {
        if (writing_ || outgoing_.empty() || !open_) return;
        writing_ = true;
        stream_.binary(outgoing_.front().binary);
        stream_.async_write(asio::buffer(outgoing_.front().bytes),
                            [self = shared_from_this()](Error error, std::size_t) {
                                self->writing_ = false;
                                if (error) return self->drop();
                                self->waiting_ -= self->outgoing_.front().bytes.size();
                                self->outgoing_.pop_front();
                                if (self->closing_ && self->outgoing_.empty()) return self->say_goodbye();
                                self->write();
                            });
    }

    // After what waits was sent.
    void close(std::uint16_t code, std::string reason) {
        if (closing_) return;
        closing_ = true;
        if (reason.size() > 120) reason.resize(120);
        goodbye_ = websocket::close_reason(websocket::close_code(code), reason);
        asio::post(context_, [self = shared_from_this()] {
            if (self->outgoing_.empty()) self->say_goodbye();
        });
    }
    void say_goodbye() {
        if (!open_) return;
        timer_.expires_after(std::chrono::seconds(2));
        timer_.async_wait([self = shared_from_this()](Error cancelled) {
            if (!cancelled) self->drop();
        });
        stream_.async_close(goodbye_, [self = shared_from_this()](Error) { self->drop(); });
    }

    void drop() {
        open_ = false;
        timer_.cancel();
        Error ignored;
        stream().socket().close(ignored);
        context_.stop();
    }

    ServerState& server_;
    asio::io_context context_{1};
    websocket::stream<beast::tcp_stream> stream_;
    asio::steady_timer timer_;
    beast::flat_buffer buffer_;
    http::request_parser<http::empty_body> parser_;
    http::response<http::string_body> response_;
    bool open_ = false, closing_ = false, writing_ = false;
    std::atomic<std::uint32_t> number_ = 0;
    websocket::close_reason goodbye_;
    std::deque<Outgoing> outgoing_;  // the first is being written
    std::size_t waiting_ = 0;        // bytes
    double credit_ = most_at_once;
    Clock::time_point seen_ = Clock::now(), pinged_ = Clock::now();
    unsigned pings_ = 0;
};

}  // namespace

std::shared_ptr<Connection> Connection::make(int socket, ServerState& server) {
    return std::make_shared<BrowserConnection>(socket, server);
}

bool equal_secrets(const std::string& a, const std::string& b) {
    unsigned differs = a.size() != b.size();
    for (std::size_t i = 0; i < b.size(); ++i)
        differs |= static_cast<unsigned char>(i < a.size() ? a[i] : 0) ^ static_cast<unsigned char>(b[i]);
    return differs == 0;
}

}  // namespace cutset::studio
