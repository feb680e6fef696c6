// Film: a run for replay on a page, in bounded memory: frames at equal intervals, about 60 a second
// of simulated time; when they take too much memory, every second frame is removed.
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
  std::size_t most_bodies = 300;  // above it, only poses and forces are recorded
};

class Film {
 public:
  // The model must outlive it. `start` determines the origin of the scene.
  Film(const Model& model, const State& start, const Input& input,
       const FilmSettings& settings = {});

  // The step that led to the state; `sample` and `forces` may be null.
  void observe(const State& state, const Input& input, const Sample* sample,
               const ContactForces* forces);
  void close(const State& state, const Input& input, const Sample* sample,
             const ContactForces* forces);
  // Whether observe() would keep a frame at this time; otherwise its arguments need not be
  // computed.
  bool wants(double time) const {
    return time >= settings_.from - slack() && (frames_.empty() || time >= next_ - slack());
  }

  // scene_json() with the moving bodies of all frames in view, unless they go too far.
  std::string scene() const;
  std::span<const std::string> frames() const { return frames_; }
  double interval() const { return settings_.interval; }
  std::string label;  // label of its lane, if there are several

 private:
  void take(const State& state, const Input& input, const Sample* sample,
            const ContactForces* forces);
  double slack() const { return 1e-3 * settings_.interval; }

  FilmSettings settings_;
  const Model* model_;
  std::string scene_;
  Vec3 origin_;
  Aabb seen_;  // box of the moving bodies in the frames so far
  Aabb start_;
  Looker looker_;
  Frame frame_;
  std::vector<std::string> frames_;
  std::size_t bytes_ = 0;
  double next_ = 0, last_ = 0;
};

// Frames of one film, or of several that are shown side by side, in the format of the page: "ABC1",
// their number, then each with its length before it (32 bits), by time.
std::string film_bytes(std::span<const Film* const> lanes);

// Runs for `time` seconds, or until the run diverges, and films it. Ends early when `stop` returns
// true.
Film film_run(Simulator& simulator, State& state, Input& input, double time,
              const FilmSettings& settings = {}, const std::function<bool()>& stop = {});

// The film of a recording of this model.
Film film_of(const Recording& recording, const Model& model, const FilmSettings& settings = {});

}  // namespace abut::view
