// abut.view: the browser's viewer on a run that starts from a state.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "abut/view/live/live.h"
#include "abut/view/live/server.h"
#include "abut/view/page/viewer_page.h"
#include "abut/view/picture/picture.h"
#include "held.h"

namespace abut::python {
namespace {

// A server with a run of its own; both end with it.
class Viewer {
 public:
  Viewer(const HeldSimulator& sim, const HeldState& start, int port, bool paused) {
    if (!view::has_viewer())
      throw std::runtime_error("this abut was built without npm: there is no viewer");
    const ModelPtr model = sim.model;
    if (model->family != start.model->family)
      throw py::value_error("this state belongs to another model");
    view::SessionSettings settings;
    settings.world = *model->world;
    // Boxes that are thrown into the scene make another model; settings stay.
    settings.build = [model](const World& world) {
      Model built = compile(world);
      built.option = model->option, built.custom = model->custom;
      return built;
    };
    settings.start = [state = start.state, input = start.input, model](const Model& m, State& s,
                                                                       Input& in) {
      if (m.nq == model->nq && m.nv == model->nv) s = state, in = input;
    };
    const ContactSettings contact = sim.simulator.contact().settings();
    settings.lanes = [contact](const Model&) { return std::vector<ContactSettings>{contact}; };
    auto session = std::make_unique<view::Session>(std::move(settings));

    view::ServerSettings where;
    where.port = static_cast<std::uint16_t>(port);
    where.token = view::new_token();
    const nlohmann::json boot = {{"mode", "live"}, {"token", where.token}};
    page_ = view::viewer_page(model->name, boot.dump());
    view::ServerHandlers handlers;
    handlers.get = [this](std::string_view path) {
      if (path == "/") return view::Answer{200, "text/html; charset=utf-8", page_};
      return view::Answer{404, "text/plain; charset=utf-8", "nothing there\n"};
    };
    handlers.opened = [this](view::ClientId c) {
      if (view::Live* l = running_) l->opened(c);
    };
    handlers.received = [this](view::ClientId c, std::string_view text) {
      if (view::Live* l = running_) l->received(c, text);
    };
    handlers.closed = [this](view::ClientId c) {
      if (view::Live* l = running_) l->closed(c);
    };
    server_ = std::make_unique<view::Server>(where, handlers);
    live_ = std::make_unique<view::Live>(
        std::move(session),
        view::Outlet{
            [this](std::uint64_t c, view::LiveText t) { server_->send_text(c, std::move(t)); },
            [this](view::LiveText t) { server_->send_text_to_all(std::move(t)); },
            [this](int lane, view::LiveText t) { server_->send_frame(lane, std::move(t)); }},
        !paused);
    running_ = live_.get();
  }
  ~Viewer() { close(); }

  std::string address() const { return server_ ? server_->address() : ""; }
  void close() {
    if (!live_) return;
    const py::gil_scoped_release unlocked;
    live_->stop();
    running_ = nullptr;
    server_.reset();
    live_.reset();
  }

 private:
  std::string page_;
  std::unique_ptr<view::Server> server_;
  std::unique_ptr<view::Live> live_;
  std::atomic<view::Live*> running_{nullptr};
};

// The eye: azimuth, elevation, and distance and target where they are given (rad, m).
py::array_t<std::uint8_t> picture(const HeldState& s, int width, int height, double azimuth,
                                  double elevation, double distance, const Vec3& target) {
  view::PictureSettings settings;
  settings.width = width, settings.height = height, settings.azimuth = azimuth;
  settings.elevation = elevation, settings.distance = distance, settings.target = target;
  view::Image image;
  {
    const py::gil_scoped_release unlocked;
    image = view::Painter(*s.model).draw(placed(s), settings);
  }
  return py::array_t<std::uint8_t>({image.height, image.width, 3}, image.rgb.data());
}

}  // namespace

void bind_view(py::module_& m) {
  const view::PictureSettings standard;
  m.def("render", &picture, py::arg("state"), py::arg("width") = standard.width,
        py::arg("height") = standard.height, py::arg("azimuth") = standard.azimuth,
        py::arg("elevation") = standard.elevation, py::arg("distance") = 0.0,
        py::arg("target") = Vec3(Vec3::Zero()),
        "A picture of a state: height x width x 3 bytes. Angles in radians; distance 0: the moving "
        "bodies fit.\n\n"
        ">>> abut.render(state, width=64, height=48).shape\n(48, 64, 3)\n");
  py::class_<Viewer>(m, "Viewer", "A viewer that runs; abut.view() makes it.")
      .def(py::init<const HeldSimulator&, const HeldState&, int, bool>(), py::arg("simulator"),
           py::arg("state"), py::arg("port") = 0, py::arg("paused") = false)
      .def_property_readonly("address", &Viewer::address, "With the token that lets a browser in.")
      .def("close", &Viewer::close, "Ends the run and the server.");
}

}  // namespace abut::python
