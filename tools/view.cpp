// abut view: a world, live, or a recording, in the browser.
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "abut/view/live/live.h"
#include "abut/view/live/server.h"
#include "abut/view/page/viewer_page.h"
#include "commands.h"
#include "interrupt.h"
#include "view_flags.h"
#include "warnings.h"

namespace abut::tool {

namespace {

struct ViewArguments {
  ViewFlags view;
  std::string bind = "127.0.0.1";
  int port = 0;
  bool paused = false, open = false, quiet = false;
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
  if (!a.quiet) print_safe("  {}: open in a browser (^C ends it)\n", name);
  print_safe("{}\n", address);
  std::fflush(stdout);
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
  // each knows the other; messages before both are there have nobody to go to
  std::atomic<view::Live*> live{nullptr};
  view::ServerHandlers handlers;
  handlers.get = [&page](std::string_view path) {
    if (path == "/") return view::Answer{200, "text/html; charset=utf-8", page};
    return view::Answer{404, "text/plain; charset=utf-8", "nothing there\n"};
  };
  handlers.opened = [&live](view::ClientId c) {
    if (view::Live* l = live) l->opened(c);
  };
  handlers.received = [&live](view::ClientId c, std::string_view text) {
    if (view::Live* l = live) l->received(c, text);
  };
  handlers.closed = [&live](view::ClientId c) {
    if (view::Live* l = live) l->closed(c);
  };
  auto server = std::make_unique<view::Server>(server_flags, handlers);
  view::Live run(std::move(session),
                 {[&](std::uint64_t c, view::LiveText t) { server->send_text(c, std::move(t)); },
                  [&](view::LiveText t) { server->send_text_to_all(std::move(t)); },
                  [&](int lane, view::LiveText t) { server->send_frame(lane, std::move(t)); }},
                 !a.paused);
  live = &run;
  announce(a, *server, name);
  const EndsItself in_order;
  wait_for_the_end();
  // neither may talk to one that is gone
  run.stop();
  server.reset();
  return kDone;
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
  command->add_flag("--open", a.open, "open the browser");
  command->add_flag("--quiet", a.quiet, "print nothing but the address");
  command->footer(
      "Examples:\n"
      "  abut view diff_drive\n"
      "  abut view sunk_tower --contact st,ap,deepest --paused   # side by side\n"
      "  abut run demo --record demo.h5 && abut view demo.h5\n"
      "Keys and mouse: press ? on the page, or see docs/viewer.md.\n"
      "Exit codes: 2 bad usage or input, 130 or 143 ended by SIGINT (^C) or SIGTERM.");
  command->callback([args, exit_code] {
    need_viewer();
    *exit_code = args->view.is_recording() ? view_recording(*args) : view_live(*args);
  });
}

}  // namespace abut::tool
