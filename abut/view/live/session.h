// Session: a live run that people can interact with and rewind.
//
// It has one to four lanes: the same world and the same interactions under different contact
// models. Time is counted in steps. Snapshots of all lanes are stored at intervals, together with
// the interactions between them; any earlier step is restored from a snapshot and a few steps of
// replay, bit for bit. Going back keeps the later steps until something new happens.
//
//   abut::view::Session session(settings);
//   session.apply(parse_command(R"({"do": "throw", ..})"));
//   session.step();
//   session.look(lane, show, frame);
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "abut/simulate/simulator.h"
#include "abut/view/live/command.h"
#include "abut/view/live/hand.h"
#include "abut/view/scene/looker.h"

namespace abut::view {

// session_parts.h
namespace session_parts {
struct Era;
struct ThrownBox;
struct Built;
struct Lane;
struct Snapshot;
}  // namespace session_parts

struct SessionSettings {
  World world;
  std::function<Model(const World&)> build;  // compiles the world and applies the flags
  // default: the model's initial state
  std::function<void(const Model&, State&, Input&)> start = {};
  // default: those of the world
  std::function<std::vector<ContactSettings>(const Model&)> lanes = {};
  std::function<void()> before_step = {};  // of tests: steps that take long
  // Bound on the memory of the past: beyond it the oldest part is dropped, except the start.
  std::size_t most_bytes = 400'000'000;
};

class Session {
 public:
  explicit Session(SessionSettings settings);
  ~Session();

  // Executes all commands except play, pause, speed, show and seen, which do not concern the run.
  // Steps and replays end after a second of the clock, wherever they are. Throws CommandError.
  void apply(const Command& command);

  // Advances every lane by one step; later steps are dropped.
  void step();
  // Goes to any step up to last(). Later steps are kept. A replay may be long: after `most_seconds`
  // of the clock it stays where it is, and the next call goes on. True: it has arrived.
  bool seek(std::int64_t step, double most_seconds = std::numeric_limits<double>::infinity());

  std::int64_t position() const { return position_; }
  std::int64_t last() const { return last_; }  // the latest step
  int lanes() const;
  double time() const;
  double timestep() const;
  const Model& model() const;
  int generation() const;
  std::uint64_t hash() const;  // of all lanes
  const State& state(int lane) const;
  bool all_diverged() const;
  std::size_t past_bytes() const;  // memory of the past

  void look(int lane, const Show& show, Frame& out);
  // docs/viewer.md
  std::string scene() const;
  std::string status(bool playing, double speed, int clients) const;
  static std::string choices();
  // Warnings of the simulators of all lanes, one line each.
  std::vector<std::string> warnings() const;

 private:
  using Era = session_parts::Era;
  using ThrownBox = session_parts::ThrownBox;
  using Built = session_parts::Built;
  using Lane = session_parts::Lane;
  using Snapshot = session_parts::Snapshot;
  struct Event {
    std::int64_t step;
    Hand hand;
  };

  std::shared_ptr<const Built> build(std::shared_ptr<const Era> era) const;
  std::shared_ptr<const Built> build_next(Era era);
  std::shared_ptr<const Built> build_with(ThrownBox box);
  void go_to_era(const std::shared_ptr<const Era>& era);
  void prepare(Lane& lane) const;
  std::shared_ptr<Snapshot> take() const;
  void restore(const Snapshot& snapshot);
  void keep_snapshot(bool for_good);
  bool keeps_too_much() const;
  void thin_snapshots();
  void forget_older_half();
  void forget_ahead();
  void mark(bool of_hands = false);
  void undo();
  void reset();
  bool is_of_an_earlier_run(const Snapshot& snapshot) const;
  void set_hand(const Hand& hand, bool begins);
  Hand recorded_hand() const;
  void advance();
  void take_steps(std::int64_t count);
  void change_settings(int lane, const std::function<void(ContactSettings&)>& change);
  void set_lanes(const std::vector<std::string>& names);
  void throw_box(const Command& c);
  void set_timestep(double h);
  void set_joint(int index, double value);
  void go_to_keyframe(const std::string& name);
  int checked_body(int body) const;

  SessionSettings settings_;
  std::shared_ptr<const Built> built_;   // the current era
  std::shared_ptr<const Built> recent_;  // the era before it: undo mostly returns there
  std::vector<ThrownBox> boxes_;         // all boxes ever thrown
  int eras_ = 0;
  std::int64_t taken_ = 0;  // snapshots
  Vec3 origin_ = Vec3::Zero();
  double size_ = 1;  // m
  std::vector<Lane> lanes_;
  Input input_;  // current controls and driven poses
  Hand hand_;
  std::int64_t position_ = 0, last_ = 0, stride_ = 50;
  int joint_moved_ = -1;  // by the last command, at this position
  // if the past is too long, only the start and the steps after this are kept
  std::int64_t known_from_ = 0;
  double since_snapshot_ = 0;                         // s: duration of a replay
  std::vector<std::shared_ptr<Snapshot>> snapshots_;  // in the order they were taken
  std::vector<std::shared_ptr<Snapshot>> marks_;      // before each interaction
  std::deque<Event> events_;                          // ascending by step
};

}  // namespace abut::view
