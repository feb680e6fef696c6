#include "abut/view/scene/film.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "abut/model/kinematics.h"
#include "abut/simulate/run.h"
#include "abut/view/scene/bytes.h"
#include "abut/view/scene/scene.h"

namespace abut::view {

namespace {

constexpr std::uint32_t kMagic = 0x31434241;  // "ABC1"

Derived poses_at(const Model& model, const State& state, const Input& input) {
  Derived d(model);
  positions(model, state, input, d);
  return d;
}

double time_of(const std::string& frame) {
  double time;
  std::memcpy(&time, frame.data() + 8, sizeof time);
  return time;
}

void set_lane(std::string& frame, std::uint32_t lane) {
  std::memcpy(&frame[4], &lane, sizeof lane);
}

}  // namespace

Film::Film(const Model& model, const State& start, const Input& input, const FilmSettings& settings)
    : settings_(settings),
      model_(&model),
      origin_(scene_origin(model, poses_at(model, start, input))),
      looker_(model, origin_),
      next_(start.time) {
  const Derived poses = poses_at(model, start, input);
  scene_ = scene_json(model, poses, origin_);
  const Aabb box = movers_box(model, poses);
  if (!box.empty()) start_ = {box.min - origin_, box.max - origin_};
  if (moving_bodies(model).size() > settings.most_bodies)
    settings_.show = {settings.show.contacts, false, false, false, false, false};
}

void Film::observe(const State& state, const Input& input, const Sample* sample,
                   const ContactForces* forces) {
  if (!wants(state.time)) return;
  if (frames_.empty()) next_ = state.time;
  take(state, input, sample, forces);
  // the next multiple of the interval, so that steps that do not divide the interval cause no drift
  next_ += settings_.interval *
           std::max(1.0, std::ceil((state.time - next_ + slack()) / settings_.interval));
  if (bytes_ <= settings_.most_bytes || frames_.size() < 4) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < frames_.size(); i += 2) frames_[kept++] = std::move(frames_[i]);
  frames_.resize(kept);
  bytes_ = 0;
  for (const std::string& frame : frames_) bytes_ += frame.size();
  settings_.interval *= 2;
  next_ = time_of(frames_.back()) + settings_.interval;
}

void Film::close(const State& state, const Input& input, const Sample* sample,
                 const ContactForces* forces) {
  if (frames_.empty() || state.time > last_) take(state, input, sample, forces);
}

std::string Film::scene() const {
  if (seen_.empty() || !seen_.min.allFinite() || !seen_.max.allFinite()) return scene_;
  const Aabb all{seen_.min - origin_, seen_.max - origin_};
  const auto radius = [](const Aabb& box) { return 0.5 * box.extent().norm(); };
  // bodies that fly away do not enlarge the view, because the others would become dots
  constexpr double kFar = 3;
  const bool travelled = (all.center() - start_.center()).norm() > radius(all);
  return radius(all) < kFar * radius(start_) || travelled ? with_extent(scene_, all) : scene_;
}

void Film::take(const State& state, const Input& input, const Sample* sample,
                const ContactForces* forces) {
  looker_.look(state, input, forces, settings_.show, frame_);
  if (sample) {
    frame_.numbers[Frame::kinetic] = sample->energy.kinetic;
    frame_.numbers[Frame::potential] = sample->energy.potential;
    frame_.numbers[Frame::deepest] = sample->overlap.deepest;
    frame_.numbers[Frame::joint_error] = sample->joint_error;
  }
  seen_.merge(movers_box(*model_, looker_.poses()));
  frames_.push_back(encoded(frame_));
  bytes_ += frames_.back().size();
  last_ = state.time;
}

std::string film_bytes(std::span<const Film* const> lanes) {
  std::vector<std::pair<double, std::string>> all;
  for (std::size_t lane = 0; lane < lanes.size(); ++lane)
    for (const std::string& frame : lanes[lane]->frames()) {
      all.emplace_back(time_of(frame), frame);
      set_lane(all.back().second, static_cast<std::uint32_t>(lane));
    }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  Bytes out;
  out.u32(kMagic).u32(all.size());
  for (const auto& [time, frame] : all) out.u32(frame.size()).text(frame);
  return out.str();
}

Film film_run(Simulator& simulator, State& state, Input& input, double time,
              const FilmSettings& settings, const std::function<bool()>& stop) {
  const Model& model = simulator.model();
  Film film(model, state, input, settings);
  Measure measure(model);
  ContactForces forces;
  State good = state;
  const auto look = [&](bool last) {
    if (!last && !film.wants(state.time)) return;
    const Sample sample = measure.sample(state, input);
    film.observe(state, input, &sample, &forces);
    if (last) film.close(state, input, &sample, &forces);
  };
  look(false);
  const std::int64_t steps = step_count(time, model.option.timestep);
  for (std::int64_t i = 0; i < steps && !(stop && stop()); ++i) {
    simulator.step(state, input);
    if (diverged_body(model, state) >= 0) {
      state = good;
      break;
    }
    good = state;
    if (film.wants(state.time) || i + 1 == steps) simulator.contact_forces(forces);
    look(false);
  }
  look(true);
  return film;
}

Film film_of(const Recording& recording, const Model& model, const FilmSettings& settings) {
  State state(model);
  Input input(model);
  const std::vector<double> times = recording.read("time");
  const std::vector<double> kinetic = recording.read("measures/kinetic"),
                            potential = recording.read("measures/potential");
  const auto read_row = [&](std::int64_t row) {
    recording.read_state(row, state);
    const std::vector<Pose> poses = recording.poses(row);
    for (int b = 0; b < model.nbody(); ++b)
      if (const int mocap = model.bodies[static_cast<std::size_t>(b)].mocap; mocap >= 0)
        input.mocap[static_cast<std::size_t>(mocap)] = poses[static_cast<std::size_t>(b)];
  };
  if (recording.rows() == 0) throw RecordError("the recording has no rows");
  read_row(0);
  Film film(model, state, input, settings);
  Measure measure(model);
  const auto rows = std::min<std::int64_t>(recording.rows(), std::ssize(times));
  for (std::int64_t row = 0; row < rows; ++row) {
    const bool last = row + 1 == rows;
    if (!last && !film.wants(times[static_cast<std::size_t>(row)])) continue;
    read_row(row);
    const Sample sample = measure.sample(state, input);
    const ContactForces forces = recording.contact_forces(row);
    film.observe(state, input, &sample, &forces);
    if (last) film.close(state, input, &sample, &forces);
  }
  return film;
}

}  // namespace abut::view
