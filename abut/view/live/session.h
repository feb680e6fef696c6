// Session: a live run that people can touch, and go back in.
//
// One to four lanes: the same world and the same hands under different contact models. Time is
// counted in steps. Snapshots of all lanes are kept every so often, and what hands did between
// them; any earlier step is a snapshot and a few steps of replay away, bit for bit. Going back
// keeps what came after until something new happens.
//
//   abut::view::Session session(settings);
//   session.apply(parse_command(R"({"do": "throw", ..})"));
//   session.step();
//   session.look(lane, show, frame);
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
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
  std::function<Model(const World&)> build;  // compiles, and puts in what flags say
  std::function<void(const Model&, State&, Input&)> start = {};          // else as the model is
  std::function<std::vector<ContactSettings>(const Model&)> lanes = {};  // else the world's own
  // Of all that is kept of the past: beyond it the oldest part is forgotten, but for the start.
  std::size_t most_bytes = 400'000'000;
};

class Session {
 public:
  explicit Session(SessionSettings settings);
  ~Session();

  // Everything but play, pause, speed, show and seen, which are not the run's. Throws CommandError.
  void apply(const Command& command);

  // One step on in every lane; what was ahead is forgotten.
  void step();
  // To any step up to last(). What is ahead stays.
  void seek(std::int64_t step);

  std::int64_t position() const { return position_; }
  std::int64_t last() const { return last_; }  // the farthest there is
  int lanes() const;
  double time() const;
  double timestep() const;
  const Model& model() const;
  int generation() const;
  std::uint64_t hash() const;  // of all lanes
  const State& state(int lane) const;
  bool all_diverged() const;
  std::size_t past_bytes() const;  // what the past takes

  void look(int lane, const Show& show, Frame& out);
  // docs/viewer.md
  std::string scene() const;
  std::string status(bool playing, double speed, int clients) const;
  static std::string choices();
  // Of the simulators of all lanes; a line each.
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
  void set_hand(const Hand& hand, bool begins);
  Hand recorded_hand() const;
  void advance();
  void change_settings(int lane, const std::function<void(ContactSettings&)>& change);
  void set_lanes(const std::vector<std::string>& names);
  void throw_box(const Command& c);
  void set_timestep(double h);
  void go_to_keyframe(const std::string& name);
  int checked_body(int body) const;

  SessionSettings settings_;
  std::shared_ptr<const Built> built_;   // the era that the run is in
  std::shared_ptr<const Built> recent_;  // the one before it: undo is mostly the way back there
  std::vector<ThrownBox> boxes_;         // all that ever were
  int eras_ = 0;
  std::int64_t taken_ = 0;  // snapshots
  Vec3 origin_ = Vec3::Zero();
  double size_ = 1;  // m
  std::vector<Lane> lanes_;
  Input input_;  // controls and driven poses in force
  Hand hand_;
  std::int64_t position_ = 0, last_ = 0, stride_ = 50;
  std::int64_t known_from_ = 0;  // of an overlong past the start and what is after this is left
  double since_snapshot_ = 0;    // s of work that a replay would take
  std::vector<std::shared_ptr<Snapshot>> snapshots_;  // in the order they were taken
  std::vector<std::shared_ptr<Snapshot>> marks_;      // before each interaction
  std::deque<Event> events_;                          // ascending by step
};

}  // namespace abut::view
