#include "abut/view/live/haptic_view.h"

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>

#include "abut/contact/combinations.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "abut/view/scene/scene.h"

namespace abut::view {

namespace {

using HapticJson = nlohmann::ordered_json;

constexpr auto kPicture = std::chrono::microseconds(16'600);
constexpr int kStatusEvery = 6;  // pictures

LiveText text_of(const HapticJson& j) {
  return std::make_shared<const std::string>(
      j.dump(-1, ' ', false, HapticJson::error_handler_t::replace));
}
HapticJson three(const Vec3& v) { return {v.x(), v.y(), v.z()}; }

// Of the largest solid that moves, whatever its pose.
double largest_mover(const Model& model) {
  double most = 0;
  for (const Geom& geom : model.geoms)
    if (model.bodies[static_cast<std::size_t>(geom.body)].link >= 0)
      if (const Aabb box = aabb(geom.shape, model.assets, geom.pose); box.min.allFinite())
        most = std::max(most, box.extent().maxCoeff());
  return most;
}

// The part of the world that the camera is to see: what moves, wherever the hand goes, and room for
// what the hand pushes before it. A hand without a path is taken to stay within `kReach`.
constexpr double kReach = 0.04;  // m of the device

Aabb sight(const Model& model, const Derived& poses, const haptic::HapticSettings& settings) {
  Aabb box = movers_box(model, poses);
  const Vec3 start = poses.body_pose[static_cast<std::size_t>(settings.pointer)].p;
  const haptic::WorkspaceSettings& w = settings.workspace;
  box.merge(start + Vec3::Constant(w.scale * kReach));
  box.merge(start - Vec3::Constant(w.scale * kReach));
  constexpr int kSamples = 200;
  const Vec3 ahead = Vec3::Constant(settings.path.duration() > 0 ? largest_mover(model) : 0);
  for (int i = 0; i <= kSamples; ++i) {
    const double t = settings.path.duration() * i / kSamples;
    const Vec3 at = start + w.scale * (w.axes * settings.path.at(t).position);
    box.merge(at + ahead);
    box.merge(at - ahead);
  }
  return box;
}

}  // namespace

HapticView::HapticView(haptic::HapticCycle& cycle, haptic::Device& device,
                       haptic::LoopSettings settings, Outlet outlet, haptic::MouseDevice* mouse)
    : cycle_(cycle),
      model_(cycle.model()),
      device_(device),
      mouse_(mouse),
      outlet_(std::move(outlet)),
      stop_asked_(settings.stop),
      input_(cycle.input()) {
  const ContactSettings& s = cycle.simulator().contact().settings();
  contact_ = s.model;
  friction_ = s.model == "none" ? "none" : friction_text(s);
  stabilize_ = stabilize_text(s);
  Derived poses(model_);
  positions(model_, cycle.state(), input_, poses);
  origin_ = scene_origin(model_, poses);
  sight_ = sight(model_, poses, cycle.settings());
  sight_ = {sight_.min - origin_, sight_.max - origin_};
  pointer_start_ = cycle.pointer().X.p;
  every_ = std::max<std::int64_t>(1, std::llround(cycle.settings().rate / 60));
  Picture first;
  first.state = cycle.state();
  first.mocap = input_.mocap;
  first.hand = cycle.hand().X;
  picture_ = first;

  settings.stop = &stop_;
  const auto also = settings.after_step;
  settings.after_step = [this, also](const haptic::HapticCycle& c) {
    if (also) also(c);
    leave_picture(c);
  };
  loop_ = std::make_unique<haptic::HapticLoop>(cycle, device, std::move(settings));
  loop_thread_ = std::thread([this] {
    loop_->run();
    ended_ = true;
  });
  draw_thread_ = std::thread([this] { draw(); });
}

HapticView::~HapticView() { stop(); }

void HapticView::stop() {
  stop_ = true;
  if (loop_thread_.joinable()) loop_thread_.join();
  if (draw_thread_.joinable()) draw_thread_.join();
}

// On the loop's thread: copies into memory that is there already.
void HapticView::leave_picture(const haptic::HapticCycle& cycle) {
  if (++since_ < every_ || !picture_.taken()) return;
  since_ = 0;
  Picture& p = picture_.back();
  p.state = cycle.state();
  p.mocap = cycle.input().mocap;
  p.forces = cycle.forces();
  p.hand = cycle.hand().X;
  p.felt = cycle.felt();
  const haptic::LoopReport& r = loop_->report();
  p.cycles = r.cycles;
  p.late = r.late;
  p.compute_p50 = r.compute.percentile(0.5);
  p.compute_p99 = r.compute.percentile(0.99);
  p.compute_max = r.compute.max();
  p.wake_p99 = r.wake.percentile(0.99);
  p.wake_max = r.wake.max();
  p.gate = cycle.guard().gate();
  picture_.publish();
}

std::string HapticView::scene() const {
  Derived poses(model_);
  Input input(model_);
  input.mocap = picture_.front().mocap;
  positions(model_, picture_.front().state, input, poses);
  std::string j = with_extent(scene_json(model_, poses, origin_, 0), sight_);
  return j.insert(1, "\"is\":\"scene\",");
}

std::string HapticView::status() const {
  const Picture& p = picture_.front();
  const auto us = [](double s) { return s * 1e6; };
  const HapticJson j = {
      {"is", "status"},
      {"playing", true},
      {"speed", 1},
      {"timestep", model_.option.timestep},
      {"integrator", integrator_name(cycle_.simulator().integrator())},
      {"step", p.cycles},
      {"last", p.cycles},
      {"undo", 0},
      {"clients", 1},
      {"lanes",
       {{{"label", contact_},
         {"contact", contact_},
         {"friction", friction_},
         {"stabilize", stabilize_}}}},
      {"control", HapticJson::array()},
      {"joints", HapticJson::array()},
      {"haptic",
       {{"device", device_.info().name},
        {"pointer", cycle_.settings().pointer},
        {"rate", cycle_.settings().rate},
        {"cycles", p.cycles},
        {"late", p.late},
        {"compute_us",
         {{"p50", us(p.compute_p50)}, {"p99", us(p.compute_p99)}, {"max", us(p.compute_max)}}},
        {"wake_us", {{"p99", us(p.wake_p99)}, {"max", us(p.wake_max)}}},
        {"gate", p.gate},
        {"hand", three(p.hand.p - origin_)},
        {"limit", cycle_.settings().most_force},
        {"force", three(p.felt.lin)},
        {"torque", three(p.felt.ang)}}}};
  return j.dump(-1, ' ', false, HapticJson::error_handler_t::replace);
}

void HapticView::greet() {
  std::vector<std::uint64_t> clients;
  {
    const std::lock_guard lock(mutex_);
    clients.swap(greet_);
  }
  for (const std::uint64_t client : clients) {
    outlet_.text(client, std::make_shared<const std::string>(status()));
    outlet_.text(client, std::make_shared<const std::string>(scene()));
  }
}

void HapticView::draw() {
  Looker looker(model_, origin_);
  Frame frame;
  int pictures = 0;
  auto next = std::chrono::steady_clock::now();
  while (!stop_ && !(stop_asked_ && stop_asked_->load())) {
    const bool is_new = picture_.refresh();
    greet();
    if (is_new) {
      const Picture& p = picture_.front();
      input_.mocap = p.mocap;
      Show show;
      {
        const std::lock_guard lock(mutex_);
        show = show_;
      }
      // exact measures take longer than a picture may
      show.measures = pictures % 60 == 0;
      looker.look(p.state, input_, &p.forces, show, frame);
      frame.step = p.cycles;
      frame.generation = 0;
      frame.paused = false;
      frame.numbers[Frame::step_ms] = p.compute_p50 * 1e3;
      frame.numbers[Frame::speed] = 1;
      outlet_.frame(0, std::make_shared<const std::string>(encoded(frame, 0)));
      if (pictures++ % kStatusEvery == 0)
        outlet_.text_to_all(std::make_shared<const std::string>(status()));
    }
    next = std::max(next + kPicture, std::chrono::steady_clock::now());
    std::this_thread::sleep_until(next);
  }
}

void HapticView::opened(std::uint64_t client) {
  const std::lock_guard lock(mutex_);
  greet_.push_back(client);
}

void HapticView::closed(std::uint64_t) {}

void HapticView::received(std::uint64_t client, std::string_view text) {
  Command command;
  try {
    command = parse_command(text);
  } catch (const CommandError& e) {
    return outlet_.text(client, text_of({{"is", "error"}, {"text", e.what()}}));
  }
  const std::lock_guard lock(mutex_);
  switch (command.what) {
    case Command::Do::seen:
    case Command::Do::release:
      return;
    case Command::Do::show:
      show_ = command.show;
      return;
    case Command::Do::grab:
      // whatever is pulled: the pointer is the hand
      if (mouse_ == nullptr) break;
      asked_.place = (command.to + origin_ - pointer_start_) / cycle_.settings().workspace.scale;
      return mouse_->ask(asked_);
    case Command::Do::hand:
      if (mouse_ == nullptr) break;
      asked_.place += command.to / cycle_.settings().workspace.scale;
      asked_.turn = (exp_rotation(command.at) * asked_.turn).normalized();
      asked_.buttons = static_cast<std::uint32_t>(command.count);
      return mouse_->ask(asked_);
    default:
      break;
  }
  outlet_.text(client,
               text_of({{"is", "error"},
                        {"text", "a haptic run goes on in real time, in the hand of its device; " +
                                     std::string(name(command.what)) + " is not for it"}}));
}

}  // namespace abut::view
