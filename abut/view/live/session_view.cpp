// The output of a Session: frames, the scene, its status.
#include <nlohmann/json.hpp>

#include "abut/contact/combinations.h"
#include "abut/math/hash.h"
#include "abut/model/kinematics.h"
#include "abut/view/live/session.h"
#include "abut/view/live/session_parts.h"
#include "abut/view/scene/scene.h"

namespace abut::view {

namespace {

using Json = nlohmann::ordered_json;

std::string dumped(const Json& j) { return j.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json names(abut::Axis axis) {
  Json out = Json::array();
  for (const std::string_view value : values(axis)) out.push_back(value);
  return out;
}

// Of the first hinges and slides: as many as the page has sliders for.
Json joint_values(const Model& model, const State& state) {
  constexpr std::size_t kMost = 64;
  Json out = Json::array();
  for (const Joint& joint : model.joints)
    if ((joint.type == JointType::hinge || joint.type == JointType::slide) && out.size() < kMost)
      out.push_back(state.q[static_cast<std::size_t>(joint.q)]);
  return out;
}

// What each contact model takes.
Json allowed() {
  Json out = Json::object();
  for (const std::string_view contact : values(abut::Axis::contact))
    for (const auto& [key, axis] : {std::pair{"friction", abut::Axis::friction},
                                    std::pair{"stabilize", abut::Axis::stabilize}})
      out[std::string(contact)][key] = values_of(contact, axis);
  return out;
}

}  // namespace

int Session::lanes() const { return static_cast<int>(lanes_.size()); }
double Session::time() const { return lanes_[0].state.time; }
double Session::timestep() const { return built_->model.option.timestep; }
const Model& Session::model() const { return built_->model; }
int Session::generation() const { return built_->era->number; }
const State& Session::state(int lane) const { return lanes_[static_cast<std::size_t>(lane)].state; }

bool Session::all_diverged() const {
  for (const Lane& lane : lanes_)
    if (lane.diverged_body < 0) return false;
  return true;
}

std::uint64_t Session::hash() const {
  std::uint64_t h = 0;
  for (const Lane& lane : lanes_) h = 1099511628211u * (h ^ lane.state.hash());
  return h;
}

void Session::look(int at, const Show& show, Frame& out) {
  Lane& lane = lanes_[static_cast<std::size_t>(at)];
  input_.clear_forces();
  lane.looker->look(lane.state, input_, &lane.forces, show, out);
  out.step = position_;
  out.generation = built_->era->number;
  out.diverged = lane.diverged_body >= 0;
  out.numbers[Frame::step_ms] = lane.step_ms;
}

std::string Session::scene() const {
  Derived poses(built_->model);
  Input input(built_->model);
  input.mocap = input_.mocap;
  positions(built_->model, lanes_[0].state, input, poses);
  std::string j = scene_json(built_->model, poses, origin_, built_->era->number);
  return j.insert(1, "\"is\":\"scene\",");
}

std::vector<std::string> Session::warnings() const {
  std::vector<std::string> lines;
  for (const Lane& lane : lanes_)
    for (std::string& line : lane.simulator->warnings()) lines.push_back(std::move(line));
  return lines;
}

std::string Session::status(bool playing, double speed, int clients) const {
  Json j = {{"is", "status"},
            {"playing", playing},
            {"speed", speed},
            {"timestep", timestep()},
            {"integrator", integrator_name(lanes_[0].simulator->integrator())},
            {"step", position_},
            {"last", last_},
            {"undo", marks_.size()},
            {"clients", clients}};
  Json lanes = Json::array();
  for (const Lane& lane : lanes_) {
    const ContactSettings& s = *lane.settings;
    Json one = {{"label", s.model},
                {"contact", s.model},
                {"friction", s.model == "none" ? "none" : friction_text(s)},
                {"stabilize", stabilize_text(s)}};
    if (lane.diverged_body >= 0) one["diverged"] = built_->model.body_names[lane.diverged_body];
    lanes.push_back(std::move(one));
  }
  j["lanes"] = std::move(lanes);
  j["control"] = hand_.ctrl;
  j["joints"] = joint_values(built_->model, lanes_[0].state);
  return dumped(j);
}

std::string Session::choices() {
  return dumped({{"is", "choices"},
                 {"choices",
                  {{"contact", names(abut::Axis::contact)},
                   {"friction", names(abut::Axis::friction)},
                   {"stabilize", names(abut::Axis::stabilize)},
                   {"allowed", allowed()}}}});
}

}  // namespace abut::view
