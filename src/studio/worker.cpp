#include "studio/worker.h"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/internal_error.h"
#include "studio/analysis.h"
#include "studio/confinement.h"
#include "studio/curves.h"
#include "studio/drawings.h"
#include "studio/frames.h"
#include "studio/hardcopy.h"
#include "studio/job_thread.h"
#include "studio/messages.h"
#include "studio/operation.h"
#include "studio/runner.h"

namespace cutset::studio {

namespace {

using Clock = std::chrono::steady_clock;

// After the last edit.
constexpr auto before_pictures = std::chrono::milliseconds(4), before_check = std::chrono::milliseconds(80);
constexpr auto between_pushes = std::chrono::milliseconds(33);
constexpr auto longest_stop = std::chrono::seconds(5);
constexpr std::size_t most_subscriptions = 64;  // of a tab

// An answer, also where a bug of ours shows itself.
template <class Function>
Answer guarded(Function f) {
    try {
        return f();
    } catch (...) {
        const Failure failure = current_failure();
        return Refusal{"internal", failure.message, failure.help};
    }
}

class Worker : public RunnerListener {
  public:
    Worker(std::unique_ptr<FrameSocket> socket, const Json& start)
        : socket_(std::move(socket)),
          texts_(place_of(start)),
          analysis_(texts_),
          drawings_(texts_),
          folder_(start["folder"].get<std::string>()),
          runner_(texts_, *this, folder_) {
        sights_.post([this] {
            guarded([&]() -> Answer {
                drawings_.prepare();
                return Json();
            });
        });
    }

    int run() {
        pollfd server = {socket_->descriptor(), POLLIN, 0};
        while (true) {
            ::poll(&server, 1, waiting_time());
            if (server.revents) {
                Frame frame;
                if (!socket_->receive(frame)) return 0;
                handle(frame);
            }
            look_at_clock();
        }
    }

    void event(Json event) override { socket_->send(FrameKind::Event, 0, 0, json_text(event)); }
    void keep(Json state) override { socket_->send(FrameKind::State, 0, 0, json_text(state)); }

  private:
    using Method = Answer (Runner::*)(Arguments&);
    using Look = Answer (RunList::*)(Arguments&) const;
    using Study = Answer (Analysis::*)(Arguments&);
    using Sight = Answer (Drawings::*)(Arguments&);

    static ModelPlace place_of(const Json& start) {
        return {start["directory"].get<std::string>(), start["file"].get<std::string>(),
                start["model"].get<std::string>(), start["libraries"].get<std::vector<std::string>>(),
                start["allow_external"].get<bool>()};
    }

    // ---- time
    int waiting_time() const {
        std::optional<Clock::time_point> next;
        const auto consider = [&](std::optional<Clock::time_point> t) {
            if (t && (!next || *t < *next)) next = t;
        };
        consider(pictures_due_);
        consider(check_due_);
        consider(stop_due_);
        if (!subscriptions_.empty()) consider(pushed_ + between_pushes);
        if (!next) return -1;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(*next - Clock::now()).count();
        return left > 0 ? int(left) : 0;
    }

    void look_at_clock() {
        const Clock::time_point now = Clock::now();
        if (pictures_due_ && now >= *pictures_due_) {
            pictures_due_.reset();
            sights_.post([this] { tell_pictures(); });
        }
        if (check_due_ && now >= *check_due_) {
            check_due_.reset();
            studies_.post([this] { tell_check(); });
        }
        if (stopped_) stop_due_.reset();
        if (stop_due_ && now >= *stop_due_) {
            std::fputs("the run did not stop within 5 s: a function or a loop of the model does not end\n",
                       stderr);
            std::fflush(stderr);
            ::_exit(1);
        }
        if (!subscriptions_.empty() && now - pushed_ >= between_pushes) {
            pushed_ = now;
            for (auto& [key, subscription] : subscriptions_) push(key, subscription, false);
        }
    }

    void tell_check() {
        const Answer answer = guarded([&]() -> Answer { return analysis_.summary(); });
        if (const Json* const summary = std::get_if<Json>(&answer)) {
            Json event = *summary;
            event["event"] = "checked";
            this->event(std::move(event));
        }
    }

    void tell_pictures() {
        guarded([&]() -> Answer {
            if (const auto keys = drawings_.changed(); !keys.empty())
                this->event({{"event", "pictures.changed"}, {"keys", keys}});
            return Json();
        });
    }

    // ---- frames
    void handle(const Frame& frame) {
        Json message = Json::parse(frame.bytes);  // of our own server
        if (frame.kind == FrameKind::Command) return command(message);
        if (frame.kind != FrameKind::Call) return;
        const std::string name = message["call"].get<std::string>();
        message.erase("call");
        call(frame.connection, frame.id, name, std::make_shared<const Json>(std::move(message)));
    }

    void command(const Json& message) {
        const std::string name = message["command"].get<std::string>();
        if (name == "text") {
            const Json& text = message["text"];
            texts_.set(message["file"].get<std::string>(),
                       text.is_null() ? std::nullopt : std::optional(text.get<std::string>()),
                       message["version"].get<std::uint64_t>());
            pictures_due_ = Clock::now() + before_pictures;
            check_due_ = Clock::now() + before_check;
        } else if (name == "restore") {
            runner_.post([this, state = message["state"]] {
                guarded([&]() -> Answer {
                    runner_.restore(state);
                    return Json();
                });
            });
        } else if (name == "leave") {
            const auto connection = message["connection"].get<std::uint32_t>();
            std::erase_if(subscriptions_, [&](const auto& s) { return s.first.first == connection; });
        }
    }

    void answer(std::uint32_t connection, std::uint64_t id, const Answer& answer) {
        socket_->send(FrameKind::Answer, connection, id, answer_text(id, answer));
    }

    void call(std::uint32_t connection, std::uint64_t id, const std::string& name,
              std::shared_ptr<const Json> given) {
        static const std::map<std::string, Method> in_run = {
            {"quantities", &Runner::quantities}, {"unset", &Runner::unset},
            {"settings", &Runner::settings},     {"settings.set", &Runner::set_settings},
            {"run.start", &Runner::start},       {"run.pause", &Runner::pause},
            {"run.go_on", &Runner::go_on},       {"run.stop", &Runner::stop},
            {"checkpoint", &Runner::checkpoint}, {"checkpoints", &Runner::checkpoints},
            {"run.branch", &Runner::branch},     {"run.drop", &Runner::drop},
            {"console", &Runner::console},       {"console.complete", &Runner::complete},
            {"changes", &Runner::changes}};
        static const std::map<std::string, Method> at_once = {{"run.pace", &Runner::pace},
                                                              {"console.stop", &Runner::stop_console}};
        static const std::map<std::string, Look> looked_at = {{"run.list", &RunList::list},
                                                              {"run.label", &RunList::label},
                                                              {"values", &RunList::values},
                                                              {"events", &RunList::events},
                                                              {"run.compare", &RunList::compare}};
        static const std::map<std::string, Study> studied = {
            {"instances", &Analysis::instances}, {"why", &Analysis::why},
            {"loops", &Analysis::loops},         {"equations", &Analysis::equations},
            {"incidence", &Analysis::incidence}, {"check", &Analysis::check}};
        static const std::map<std::string, Sight> drawn = {{"classes", &Drawings::classes},
                                                           {"picture", &Drawings::picture}};
        if (const auto at = in_run.find(name); at != in_run.end()) {
            if (name == "run.stop") {
                stopped_ = false;
                stop_due_ = Clock::now() + longest_stop;
            }
            runner_.post([this, connection, id, given, method = at->second, stops = name == "run.stop"] {
                answer(connection, id, guarded([&] {
                           Arguments arguments(*given);
                           return (runner_.*method)(arguments);
                       }));
                if (stops) stopped_ = true;
            });
        } else if (name == "set") {
            runner_.post([this, connection, id, given] {
                answer(connection, id, guarded([&] {
                           Arguments arguments(*given);
                           return runner_.set(arguments, connection);
                       }));
            });
        } else if (const auto here = at_once.find(name); here != at_once.end()) {
            answer(connection, id, guarded([&] {
                       Arguments arguments(*given);
                       return (runner_.*here->second)(arguments);
                   }));
        } else if (const auto look = looked_at.find(name); look != looked_at.end()) {
            answer(connection, id, guarded([&] {
                       Arguments arguments(*given);
                       return (runner_.runs().*look->second)(arguments);
                   }));
        } else if (const auto study = studied.find(name); study != studied.end()) {
            studies_.post([this, connection, id, given, method = study->second] {
                answer(connection, id, guarded([&] {
                           Arguments arguments(*given);
                           return (analysis_.*method)(arguments);
                       }));
            });
        } else if (const auto sight = drawn.find(name); sight != drawn.end()) {
            draw(connection, id, given, sight->second);
        } else if (name == "hardcopy") {
            const auto what = given->find("what");
            if (what != given->end() && (*what == "class" || *what == "model"))
                draw(connection, id, given, &Drawings::hardcopy);
            else
                answer(connection, id, guarded([&] { return draw_curves(*given); }));
        } else if (name == "operation") {
            operations_.post([this, connection, id, given] {
                answer(connection, id, guarded([&] { return operation(*given); }));
            });
        } else if (name == "curves") {
            curves(connection, id, *given);
        } else if (name == "curves.subscribe" || name == "values.subscribe") {
            answer(connection, id, subscribe(connection, *given, name == "values.subscribe"));
        } else if (name == "curves.unsubscribe" || name == "values.unsubscribe") {
            Arguments arguments(*given);
            const std::string which = arguments.text("name");
            const auto problem = arguments.problem();
            if (!problem) subscriptions_.erase({connection, which});
            answer(connection, id, problem ? Answer(*problem) : Answer(Json::object()));
        } else {
            answer(connection, id, messages::unknown_call(name));
        }
    }

    void draw(std::uint32_t connection, std::uint64_t id, std::shared_ptr<const Json> given, Sight method) {
        sights_.post([this, connection, id, given, method] {
            answer(connection, id, guarded([&] {
                       Arguments arguments(*given);
                       return (drawings_.*method)(arguments);
                   }));
        });
    }

    Answer operation(const Json& given) {
        Arguments arguments(given);
        const std::vector<std::string> words = arguments.texts("words", 100);
        const std::optional<std::string> of_class = arguments.text_if("class");
        if (const auto problem = arguments.problem()) return *problem;
        const Json none = Json::object();
        Arguments nothing(none);
        return operate(texts_, std::get<Json>(runner_.changes(nothing)), words, of_class, folder_);
    }

    Answer draw_curves(const Json& given) {
        Arguments arguments(given);
        CurveHardcopy wanted;
        if (arguments.text("what") != "curves") arguments.fail("what is neither class nor curves");
        wanted.run = arguments.count_if("run", 1000000);
        wanted.wishes = arguments.texts("paths", 64);
        wanted.t0 = arguments.number_if("t0");
        wanted.t1 = arguments.number_if("t1");
        wanted.format = read_format(arguments);
        wanted.name = "curves";
        if (const auto problem = arguments.problem()) return *problem;
        const auto run = runner_.runs().run(wanted.run);
        if (!run) return wanted.run ? messages::no_such_run(*wanted.run) : messages::no_active_run("draw");
        return curve_hardcopy(*run, wanted, folder_);
    }

    // ---- curves and values
    struct Subscription {
        bool values = false;  // at the present instant; else curves
        std::uint64_t number = 0;
        CurveRequest request;
        // What was sent last.
        std::size_t run = 0, rows = 0;
        double last = 0;
        bool sent = false;
    };
    using Key = std::pair<std::uint32_t, std::string>;

    void curves(std::uint32_t connection, std::uint64_t id, const Json& given) {
        Arguments arguments(given);
        const CurveRequest request = read_curve_request(arguments);
        if (const auto problem = arguments.problem()) return answer(connection, id, *problem);
        const auto run = runner_.runs().run(request.run);
        if (!run && request.run) return answer(connection, id, messages::no_such_run(*request.run));
        socket_->send(FrameKind::Columns, connection, id, curve_message(request, run.get(), {{"id", id}}));
    }

    Answer subscribe(std::uint32_t connection, const Json& given, bool values) {
        Arguments arguments(given);
        const std::string name = arguments.text("name");
        Subscription subscription;
        subscription.values = values;
        subscription.number = ++subscribed_;
        if (values) {
            subscription.request.run = arguments.count_if("run", 1000000);
            subscription.request.paths = arguments.texts("paths", 5000);
        } else {
            subscription.request = read_curve_request(arguments);
        }
        if (name.size() > 100) arguments.fail("name is longer than 100 bytes");
        if (const auto problem = arguments.problem()) return *problem;
        std::size_t count = 0;
        for (const auto& [key, other] : subscriptions_)
            count += key.first == connection && key.second != name;
        if (count >= most_subscriptions) return messages::too_much("64 subscriptions are open in this tab");
        const Key key{connection, name};
        subscriptions_[key] = std::move(subscription);
        push(key, subscriptions_[key], true);
        return Json::object();
    }

    void push(const Key& key, Subscription& s, bool anyway) {
        const auto run = runner_.runs().run(s.request.run);
        std::size_t rows = 0;
        double last = 0;
        if (run) {
            const std::lock_guard lock(run->lock);
            if (run->rows) {
                rows = run->rows->rows();
                last = run->rows->last_time().value_or(0);
            }
        }
        const std::size_t number = run ? run->number : 0;
        if (!anyway && s.run == number && s.rows == rows && s.last == last) return;
        s.run = number;
        s.rows = rows;
        s.last = last;
        if (!s.values) {
            socket_->send(FrameKind::Pushed, key.first, s.number,
                          curve_message(s.request, run.get(), {{"name", key.second}}));
            return;
        }
        Json given = {{"paths", s.request.paths}};
        if (run) given["run"] = run->number;
        Arguments arguments(given);
        const Answer found = runner_.runs().values(arguments);
        Json event = {{"event", "values"}, {"name", key.second}};
        if (const Json* const values = std::get_if<Json>(&found)) {
            event.update(*values);
            event["run"] = number;
        } else {
            event["values"] = Json();
        }
        socket_->send(FrameKind::Event, key.first, 0, json_text(event));
    }

    std::unique_ptr<FrameSocket> socket_;
    ModelTexts texts_;
    Analysis analysis_;  // of the threads below
    Drawings drawings_;
    std::map<Key, Subscription> subscriptions_;
    std::uint64_t subscribed_ = 0;
    std::optional<Clock::time_point> check_due_ = Clock::now(), pictures_due_, stop_due_;
    std::atomic<bool> stopped_{true};
    Clock::time_point pushed_ = Clock::now();
    std::string folder_;
    Runner runner_;
    JobThread studies_, sights_, operations_;  // the last, so that they end first
};

void limit(int resource, rlim_t most) {
    const rlimit value = {most, most};
    ::setrlimit(resource, &value);  // a higher present limit is all that it can fail of
}

}  // namespace

int run_worker(int descriptor, const std::function<void()>& confined) {
    auto socket = std::make_unique<FrameSocket>(descriptor);
    Frame first;
    if (!socket->receive(first) || first.kind != FrameKind::Command) return 1;
    const Json start = Json::parse(first.bytes);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_FSIZE, rlim_t(17) << 30);  // RowFile bounds itself
    limit(RLIMIT_NOFILE, 256);
    if (::chdir(start["directory"].get<std::string>().c_str()) != 0) {
        std::perror("the directory");
        return 1;
    }
    std::string problem;
    if (start["confined"].get<bool>() && !confine({start["read"].get<std::vector<std::string>>(),
                                                   start["write"].get<std::vector<std::string>>()},
                                                  problem)) {
        std::fprintf(stderr, "the process could not be confined: %s\n", problem.c_str());
        return 1;
    }
    confined();
    // The threads may be in the midst of anything when the server is gone.
    ::_exit(Worker(std::move(socket), start).run());
}

}  // namespace cutset::studio
