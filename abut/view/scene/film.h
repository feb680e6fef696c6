// Film: a run to be replayed on a page, in bounded memory: frames at even times, about 60 a second
// of simulated time; when they take too much room, every second one goes.
//
//   abut::view::Film film(model, start, input);
//   film.observe(state, input, &sample, &forces);    // after every step; keeps what it wants
//   film.close(state, input, &sample, &forces);      // the last frame is always there
//   const abut::view::Film* lanes[] = {&film};
//   page += player(lanes, "film");
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "abut/simulate/record/recording.h"
#include "abut/simulate/simulator.h"
#include "abut/view/scene/looker.h"
#include "abut/view/scene/scene.h"

namespace abut::view {

struct FilmSettings {
  double from = -std::numeric_limits<double>::infinity();  // s: nothing before it is kept
  double interval = 1.0 / 60;                              // s, of simulated time
  std::size_t most_bytes = 6'000'000;                      // of frames
  Show show{true, true, true, false, true, false};
  std::size_t most_bodies = 300;  // above it, poses and forces alone
};

class Film {
 public:
  // The model must outlive it. `start` gives the scene its origin.
  Film(const Model& model, const State& start, const Input& input,
       const FilmSettings& settings = {});

  // Of the step that led to the state; `sample` may be null, and so may `forces`.
  void observe(const State& state, const Input& input, const Sample* sample,
               const ContactForces* forces);
  void close(const State& state, const Input& input, const Sample* sample,
             const ContactForces* forces);
  // Whether observe() would keep a frame of this time: what it is given need not be made else.
  bool wants(double time) const {
    return time >= settings_.from - slack() && (frames_.empty() || time >= next_ - slack());
  }

  // scene_json(), with what moves in the frames in sight, unless it goes too far.
  std::string scene() const;
  std::span<const std::string> frames() const { return frames_; }
  double interval() const { return settings_.interval; }
  std::string label;  // of its lane, where there are several

 private:
  void take(const State& state, const Input& input, const Sample* sample,
            const ContactForces* forces);
  double slack() const { return 1e-3 * settings_.interval; }

  FilmSettings settings_;
  const Model* model_;
  std::string scene_;
  Vec3 origin_;
  Aabb seen_;  // what moved, in the frames so far
  Ball start_;
  Looker looker_;
  Frame frame_;
  std::vector<std::string> frames_;
  std::size_t bytes_ = 0;
  double next_ = 0, last_ = 0;
};

// Frames of one film, or of several that are shown side by side, as the page reads them: "ABC1",
// their number, then each with its length before it (32 bits), by time.
std::string film_bytes(std::span<const Film* const> lanes);

// Runs for `time` seconds, or until it diverges, and films it. Ends early once `stop` says so.
Film film_run(Simulator& simulator, State& state, Input& input, double time,
              const FilmSettings& settings = {}, const std::function<bool()>& stop = {});

// Of a recording of this model.
Film film_of(const Recording& recording, const Model& model, const FilmSettings& settings = {});

}  // namespace abut::view
