#include "abut/view/live/live.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>

namespace abut::view {

namespace {

using Clock = std::chrono::steady_clock;
using Do = Command::Do;

constexpr auto kFrame = std::chrono::microseconds(16'600);
constexpr auto kStatus = std::chrono::milliseconds(150);
constexpr double kMostBehind = 0.1;  // s: a machine that is too slow falls behind, and stays so
constexpr std::size_t kMostAsked = 2000, kMostShows = 64;
constexpr auto kCommands = std::chrono::milliseconds(50);  // at once, between frames

double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }
LiveText shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

// Only the newest of these matters: a hand that moves, a slider that is dragged.
bool replaces(const Command& next, const Command& waiting) {
  if (next.what != waiting.what) return false;
  switch (next.what) {
    case Do::grab:
    case Do::twist:
      return next.body == waiting.body;
    case Do::push:
    case Do::seek:
    case Do::speed:
      return true;
    case Do::control:
    case Do::joint:
      return next.count == waiting.count;
    default:
      return false;
  }
}

}  // namespace

Live::Live(std::unique_ptr<Session> session, Outlet outlet, bool playing)
    : session_(std::move(session)),
      outlet_(std::move(outlet)),
      playing_(playing),
      last_(Clock::now()),
      last_status_(last_),
      watch_([this](double taken, Do what) {
        outlet_.text_to_all(shared(nlohmann::json({{"is", "busy"},
                                                   {"seconds", std::round(taken)},
                                                   {"doing", std::string(name(what))}})
                                       .dump()));
      }) {
  thread_ = std::thread([this] { run(); });
}

Live::~Live() { stop(); }

void Live::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
  watch_.stop();
}

void Live::opened(std::uint64_t client) {
  {
    const std::lock_guard lock(mutex_);
    greet_.push_back(client);
    if (shows_.size() < kMostShows) shows_[client] = Show{};
  }
  wake_.notify_all();
}

void Live::closed(std::uint64_t client) {
  const std::lock_guard lock(mutex_);
  shows_.erase(client);
  // whoever held something has let go
  asked_.push_back({client, Command{.what = Do::release}});
  wake_.notify_all();
}

void Live::received(std::uint64_t client, std::string_view text) {
  Command command;
  try {
    command = parse_command(text);
  } catch (const CommandError& e) {
    return tell(client, e.what());
  }
  if (command.what == Do::seen) return;
  const std::lock_guard lock(mutex_);
  if (command.what == Do::show) {
    if (const auto it = shows_.find(client); it != shows_.end()) it->second = command.show;
  } else if (!asked_.empty() && asked_.back().client == client &&
             replaces(command, asked_.back().command)) {
    asked_.back().command = command;
    return;
  } else if (asked_.size() >= kMostAsked) {
    return;  // a flood: what is too much is dropped
  }
  asked_.push_back({client, std::move(command)});
  wake_.notify_all();
}

void Live::tell(std::uint64_t client, const std::string& problem) {
  const nlohmann::json j = {{"is", "error"}, {"text", problem}};
  outlet_.text(client, shared(j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)));
}

// Steps and replays that take longer than a frame go on in the next ones, so that the page sees
// them, and another command ends them.
void Live::go_on(const Command& command) {
  playing_ = false;
  if (command.what == Do::step) {
    ahead_.steps += command.count;
  } else {
    const std::int64_t from = ahead_.goal < 0 ? session_->position() : ahead_.goal;
    ahead_.goal =
        command.what == Do::seek ? command.count : std::max<std::int64_t>(from - command.count, 0);
    ahead_.steps = 0;
  }
  advance_to_goal();
}

void Live::stay() { ahead_ = {}; }

void Live::obey(const Asked& asked) {
  watch_.begin(asked.command.what);
  try {
    switch (asked.command.what) {
      case Do::play:
        stay();
        playing_ = true;
        due_ = 0;
        break;
      case Do::pause:
        playing_ = false;
        stay();
        break;
      case Do::speed:
        speed_ = asked.command.value;
        break;
      case Do::show:
        break;
      case Do::step:
      case Do::back:
      case Do::seek:
        go_on(asked.command);
        break;
      case Do::reset:
      case Do::undo:
        playing_ = false;
        [[fallthrough]];
      default:
        if (asked.command.what != Do::release) stay();
        session_->apply(asked.command);
    }
  } catch (const CommandError& e) {
    tell(asked.client, e.what());
  } catch (const std::exception& e) {
    // a world that fails in a step: the run stops, the page can still go back
    playing_ = false;
    stay();
    tell(asked.client, e.what());
  }
}

// True: something happened that the pages are to see.
bool Live::take_commands() {
  std::deque<Asked> asked;
  std::deque<std::uint64_t> greet;
  {
    const std::lock_guard lock(mutex_);
    asked.swap(asked_);
    greet.swap(greet_);
  }
  const bool any = !asked.empty();
  for (const auto start = Clock::now(); !asked.empty() && Clock::now() - start < kCommands;) {
    obey(asked.front());
    asked.pop_front();
  }
  if (!asked.empty()) {
    const std::lock_guard lock(mutex_);
    asked_.insert(asked_.begin(), asked.begin(), asked.end());
  }
  for (const std::uint64_t client : greet) {
    outlet_.text(client, shared(Session::choices()));
    outlet_.text(client, shared(session_->status(playing_, speed_, 0)));
    outlet_.text(client, shared(session_->scene()));
  }
  return any || !greet.empty();
}

Show Live::wanted() {
  const std::lock_guard lock(mutex_);
  Show all{false, false, false, false, false, false};
  for (const auto& [client, show] : shows_) all = all | show;
  return all;
}

// Steps until simulated time is where the clock says, or a frame's time is over.
bool Live::advance_to_clock() {
  const auto now = Clock::now();
  due_ = std::min(due_ + speed_ * seconds(now - last_), kMostBehind * std::max(speed_, 1.0));
  last_ = now;
  if (!playing_) {
    due_ = 0;
    return false;
  }
  if (session_->all_diverged()) {
    playing_ = false;
    return true;
  }
  bool any = false;
  while (due_ >= session_->timestep() && Clock::now() - now < kFrame) {
    session_->step();
    ++steps_;
    due_ -= session_->timestep();
    any = true;
  }
  return any;
}

// A part of the steps or of the replay that somebody asked for.
bool Live::advance_to_goal() {
  const auto now = Clock::now();
  const bool moved = ahead_.goal >= 0 || ahead_.steps > 0;
  if (ahead_.goal >= 0) {
    if (!session_->seek(ahead_.goal, seconds(kFrame))) return true;
    ahead_.goal = -1;
  }
  while (ahead_.steps > 0 && Clock::now() - now < kFrame) {
    session_->step();
    ++steps_;
    --ahead_.steps;
  }
  return moved;
}

void Live::send_frames() {
  Show show = wanted();
  // measuring is exact, and may take longer than the step: it gets a tenth of the time
  show.measures = measuring_.frames++ % measuring_.every == 0;
  for (int lane = 0; lane < session_->lanes(); ++lane) {
    const auto start = Clock::now();
    // of its own: numbers that are not measured now are those of the lane's last frame
    Frame& frame = frames_[static_cast<std::size_t>(lane)];
    session_->look(lane, show, frame);
    if (show.measures) measuring_.seconds = seconds(Clock::now() - start);
    frame.paused = !playing_;
    frame.numbers[Frame::speed] = speed_;
    outlet_.frame(lane, shared(encoded(frame, lane)));
  }
  measuring_.every = static_cast<int>(
      std::clamp(measuring_.seconds * session_->lanes() / (0.1 * seconds(kFrame)), 1.0, 200.0));
}

void Live::send_status() {
  if (generation_ != session_->generation()) {
    if (generation_ >= 0) outlet_.text_to_all(shared(session_->scene()));
    generation_ = session_->generation();
  }
  int clients = 0;
  {
    const std::lock_guard lock(mutex_);
    clients = static_cast<int>(shows_.size());
  }
  outlet_.text_to_all(shared(session_->status(playing_, speed_, clients)));
  last_status_ = Clock::now();
}

void Live::run() {
  generation_ = session_->generation();
  while (true) {
    const auto start = Clock::now();
    const bool asked = take_commands();
    bool moved = false;
    watch_.begin(Do::step);
    try {
      moved = advance_to_goal();
      moved = advance_to_clock() || moved;
    } catch (const std::exception& e) {
      playing_ = false;
      stay();
      const nlohmann::json j = {{"is", "error"}, {"text", e.what()}};
      outlet_.text_to_all(shared(j.dump()));
    }
    if (asked || Clock::now() - last_status_ > kStatus) {
      if (asked || moved) send_status();
    }
    if (asked || moved) send_frames();
    watch_.end();
    std::unique_lock lock(mutex_);
    if (stop_) return;
    if (playing_ || ahead_.goal >= 0 || ahead_.steps > 0)
      wake_.wait_until(lock, start + kFrame, [&] { return stop_; });
    else
      wake_.wait_for(lock, std::chrono::milliseconds(500),
                     [&] { return stop_ || !asked_.empty() || !greet_.empty(); });
    if (stop_) return;
  }
}

}  // namespace abut::view
