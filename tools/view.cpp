// abut view: a world, live, or a recording, in the browser.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "abut/view/live/haptic_view.h"
#include "abut/view/live/live.h"
#include "abut/view/live/server.h"
#include "abut/view/page/viewer_page.h"
#include "commands.h"
#include "haptic_run.h"
#include "interrupt.h"
#include "view_flags.h"
#include "warnings.h"

namespace abut::tool {

namespace {

struct ViewArguments {
  ViewFlags view;
  std::string bind = "127.0.0.1";
  int port = 0;
  HapticFlags haptic;
  double time = 0;  // s, of a haptic run; 0: until it is ended
  bool paused = false, open = false, quiet = false, json = false;
};

void wait_for_the_end() {
  while (!interrupted()) std::this_thread::sleep_for(std::chrono::milliseconds(50));
}

view::ServerSettings server_settings(const ViewArguments& a) {
  if (a.port < 0 || a.port > 65535) throw UsageError("--port: write a number from 0 to 65535");
  view::ServerSettings s;
  s.bind = a.bind;
  s.port = static_cast<std::uint16_t>(a.port);
  s.token = view::new_token();
  return s;
}

// Says where to look, and looks there if that was asked for.
void announce(const ViewArguments& a, const view::Server& server, const std::string& name) {
  const std::string address = server.address();
  std::FILE* out = a.json ? stderr : stdout;  // with --json stdout is one document
  if (!a.quiet) print_safe(out, "  {}: open in a browser (^C ends it)\n", name);
  print_safe(out, "{}\n", address);
  std::fflush(out);
  if (a.bind != "127.0.0.1" && a.bind != "::1")
    print_safe(stderr,
               "warning: it listens beyond this machine, on {}; whoever has the address can "
               "touch the run, and others on the network may read along\n",
               a.bind);
  if (!a.open) return;
  if (fork() == 0) {
    execlp("xdg-open", "xdg-open", address.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
}

// A page, and a run behind it; messages before the run is there have nobody to go to.
template <class Run>
view::ServerHandlers handlers_of(const std::string& page, std::atomic<Run*>& run) {
  view::ServerHandlers handlers;
  handlers.get = [&page](std::string_view path) {
    if (path == "/") return view::Answer{200, "text/html; charset=utf-8", page};
    return view::Answer{404, "text/plain; charset=utf-8", "nothing there\n"};
  };
  handlers.opened = [&run](view::ClientId c) {
    if (Run* l = run) l->opened(c);
  };
  handlers.received = [&run](view::ClientId c, std::string_view text) {
    if (Run* l = run) l->received(c, text);
  };
  handlers.closed = [&run](view::ClientId c) {
    if (Run* l = run) l->closed(c);
  };
  return handlers;
}

view::Outlet outlet_of(view::Server& server) {
  return {[&](std::uint64_t c, view::LiveText t) { server.send_text(c, std::move(t)); },
          [&](view::LiveText t) { server.send_text_to_all(std::move(t)); },
          [&](int lane, view::LiveText t) { server.send_frame(lane, std::move(t)); }};
}

int view_live(const ViewArguments& a) {
  const WorldFlags& flags = a.view.world;
  view::SessionSettings settings;
  settings.world = flags.describe();
  settings.build = [&flags](const World& world) { return flags.build(world); };
  settings.start = [&flags](const Model& m, State& s, Input& in) { flags.start(m, s, in); };
  settings.lanes = [&a](const Model& model) { return a.view.lanes(model); };
  auto session = std::make_unique<view::Session>(std::move(settings));
  const std::string name = session->model().name;
  Warnings warnings(a.quiet, {});
  warnings.add(warning_lines(session->model()));
  warnings.add(session->warnings());

  view::ServerSettings server_flags = server_settings(a);
  Json boot = a.view.boot("live");
  boot["token"] = server_flags.token;
  const std::string page = view::viewer_page(name, boot.dump());
  std::atomic<view::Live*> live{nullptr};
  auto server = std::make_unique<view::Server>(server_flags, handlers_of(page, live));
  view::Live run(std::move(session), outlet_of(*server), !a.paused);
  live = &run;
  announce(a, *server, name);
  const EndsItself in_order;
  wait_for_the_end();
  // neither may talk to one that is gone
  run.stop();
  server.reset();
  return kDone;
}

int view_haptic(const ViewArguments& a) {
  if (a.haptic.clock != "real") throw UsageError("view --haptic runs by the real clock");
  if (a.view.contact.contact.find(',') != std::string::npos)
    throw UsageError("--haptic: one contact model at a time");
  const std::unique_ptr<HapticParts> parts =
      haptic_parts(a.haptic, a.view.world, a.view.contact, 1);
  Warnings warnings(a.quiet, {});
  warnings.add(parts->warnings);
  view::ServerSettings server_flags = server_settings(a);
  Json boot = a.view.boot("live");
  boot["token"] = server_flags.token;
  const std::string page = view::viewer_page(parts->model.name, boot.dump());
  std::atomic<view::HapticView*> live{nullptr};
  auto server = std::make_unique<view::Server>(server_flags, handlers_of(page, live));
  haptic::LoopSettings settings;
  settings.time = a.time;
  view::HapticView run(*parts->cycle, *parts->device, settings, outlet_of(*server),
                       dynamic_cast<haptic::MouseDevice*>(parts->device.get()));
  live = &run;
  announce(a, *server, parts->model.name);
  {
    const EndsItself in_order;
    while (!interrupted() && !run.ended())
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    run.stop();
    server.reset();
  }
  warnings.add(haptic_run_warnings(a.haptic, run.report()));
  const Json j = haptic_json(a.haptic, *parts, run.report());
  if (a.json)
    print_json({{"world", parts->model.name},
                {"contact", parts->cycle->simulator().contact().settings().model},
                {"haptic", j}});
  else if (!a.quiet)
    print_haptic(j, *parts);
  return parts->cycle->diverged_body() < 0 ? kDone : kDiverged;
}

int view_recording(const ViewArguments& a) {
  const Recording recording(a.view.world.world);
  const Model model = a.view.recorded_model(recording, a.quiet);
  view::FilmSettings settings;
  settings.most_bytes = 200'000'000;  // stays on this machine
  view::Film film = view::film_of(recording, model, settings);
  film.label = recording.setting("contact");
  view::ServerSettings server_flags = server_settings(a);
  Json boot = a.view.boot("film");
  boot["token"] = server_flags.token;
  boot["lanes"] = {film.label};
  const view::Film* lanes[] = {&film};
  const std::string page = view::viewer_page(model.name, boot.dump()),
                    bytes = view::film_bytes(lanes);
  view::ServerHandlers handlers;
  handlers.get = [&](std::string_view path) {
    if (path == "/") return view::Answer{200, "text/html; charset=utf-8", page};
    if (path == "/scene") return view::Answer{200, "application/json", film.scene()};
    if (path == "/film") return view::Answer{200, "application/octet-stream", bytes};
    return view::Answer{404, "text/plain; charset=utf-8", "nothing there\n"};
  };
  const view::Server server(server_flags, handlers);
  announce(a, server, model.name);
  const EndsItself in_order;
  wait_for_the_end();
  return kDone;
}

}  // namespace

void add_view(CLI::App& app, int* exit_code) {
  auto args = std::make_shared<ViewArguments>();
  ViewArguments& a = *args;
  CLI::App* command =
      app.add_subcommand("view", "show a live world to interact with, or a recording");
  add_view_flags(*command, a.view, false);
  command->add_option("--port", a.port, "port to listen on (default: any free port)")
      ->option_text("N");
  command
      ->add_option("--bind", a.bind, "address to listen on (default 127.0.0.1: this machine only)")
      ->option_text("ADDRESS");
  command->add_flag("--paused", a.paused, "start paused");
  add_haptic_flags(*command, a.haptic);
  command->add_option("--time", a.time, "with --haptic: seconds (default: until it is ended)")
      ->option_text("S");
  command->add_flag("--json", a.json, "with --haptic: at the end, one JSON document on stdout");
  command->add_flag("--open", a.open, "open the browser");
  command->add_flag("--quiet", a.quiet, "print nothing but the address");
  command->footer(
      "Examples:\n"
      "  abut view diff_drive\n"
      "  abut view sunk_tower --contact st,ap,deepest --paused   # side by side\n"
      "  abut run demo --record demo.h5 && abut view demo.h5\n"
      "  abut view haptic/four_blocks --haptic --device mouse\n"
      "Keys and mouse: press ? on the page, or see docs/viewer.md.\n"
      "Exit codes: 2 bad usage or input, 130 or 143 ended by SIGINT (^C) or SIGTERM.");
  command->callback([args, exit_code] {
    need_viewer();
    if (!args->haptic.on && (args->json || args->time != 0))
      throw UsageError("--time and --json go with --haptic");
    *exit_code = args->view.is_recording() ? view_recording(*args)
                 : args->haptic.on         ? view_haptic(*args)
                                           : view_live(*args);
  });
}

}  // namespace abut::tool
