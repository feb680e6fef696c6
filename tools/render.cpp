// abut render: headless pictures and films, drawn by the viewer's own page in Chromium.
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <fstream>
#include <mutex>

#include "abut/math/output_file.h"
#include "abut/view/live/server.h"
#include "abut/view/page/viewer_page.h"
#include "chromium.h"
#include "commands.h"
#include "interrupt.h"
#include "progress.h"
#include "view_flags.h"
#include "warnings.h"

namespace abut::tool {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

struct RenderArguments {
  ViewFlags view;
  std::string out, size = "1280x720", at;
  int fps = 30;
  double speed = 1;
  bool caption = false, gpu = false, quiet = false;
};

enum class Kind { picture, webm, mp4 };

Kind kind_of(const std::string& out) {
  const std::string end = fs::path(out).extension().string();
  if (end == ".png") return Kind::picture;
  if (end == ".webm") return Kind::webm;
  if (end == ".mp4") return Kind::mp4;
  throw UsageError(fmt::format("--out {}: the name is to end in .png, .webm or .mp4", out));
}

struct Size {
  int width = 0, height = 0;
};
Size parse_size(const std::string& text) {
  const auto x = text.find('x');
  if (x == std::string::npos) throw UsageError("--size " + text + ": write one such as 1280x720");
  const double w = parse_number(text.substr(0, x), "--size"),
               h = parse_number(text.substr(x + 1), "--size");
  if (!(w >= 16 && w <= 7680 && h >= 16 && h <= 4320) || w != std::floor(w) || h != std::floor(h))
    throw UsageError("--size " + text + ": from 16x16 to 7680x4320");
  // encoders of films want even numbers
  return {static_cast<int>(w) / 2 * 2, static_cast<int>(h) / 2 * 2};
}

std::vector<view::Film> films(const RenderArguments& a, const Model& model, bool picture,
                              double moment) {
  view::FilmSettings settings;
  settings.most_bytes = 400'000'000;
  if (picture) {
    // the moment, and the one before it: what is new to it shows
    settings.interval = model.option.timestep;
    settings.from = moment - 1.5 * model.option.timestep;
  } else {
    settings.interval = a.speed / a.fps;
  }
  std::vector<view::Film> all;
  if (a.view.is_recording()) {
    const Recording recording(a.view.world.world);
    if (picture) settings.from = -std::numeric_limits<double>::infinity(), settings.interval = 0;
    all.push_back(view::film_of(recording, model, settings));
    all.back().label = recording.setting("contact");
    return all;
  }
  Warnings warnings(a.quiet, warning_lines(model));
  for (const ContactSettings& contact : a.view.lanes(model)) {
    State state(model);
    Input input(model);
    a.view.world.start(model, state, input);
    if (picture) settings.from += state.time;
    Simulator simulator(model, contact);
    warnings.add(simulator.warnings());
    all.push_back(
        view::film_run(simulator, state, input, moment, settings, [] { return interrupted(); }));
    all.back().label = contact.model;
    if (picture) settings.from -= state.time;
  }
  return all;
}

// What the page hands back.
struct Result {
  std::mutex mutex;
  std::condition_variable arrived;
  std::string bytes, failure;
  bool done = false;
  double share = 0;
  std::chrono::steady_clock::time_point heard = std::chrono::steady_clock::now();
};

std::string draw(const RenderArguments& a, const Json& boot_note, const Size& size,
                 const std::vector<view::Film>& all) {
  std::vector<const view::Film*> lanes;
  for (const view::Film& film : all) lanes.push_back(&film);
  const std::string bytes = view::film_bytes(lanes);
  view::ServerSettings settings;
  settings.token = view::new_token();
  settings.most_upload = 1'000'000'000;
  Json boot = boot_note;
  boot["token"] = settings.token;
  const std::string page = view::viewer_page("abut", boot.dump());
  Result result;
  view::ServerHandlers handlers;
  handlers.get = [&](std::string_view path) {
    if (path == "/") return view::Answer{200, "text/html; charset=utf-8", page};
    if (path == "/scene") return view::Answer{200, "application/json", all[0].scene()};
    if (path == "/film") return view::Answer{200, "application/octet-stream", bytes};
    return view::Answer{404, "text/plain; charset=utf-8", "nothing there\n"};
  };
  handlers.post = [&](std::string_view path, std::string&& body) {
    const std::lock_guard lock(result.mutex);
    result.heard = std::chrono::steady_clock::now();
    if (path == "/progress") {
      result.share = std::atof(body.c_str());
    } else if (path == "/result") {
      result.bytes = std::move(body);
      result.done = true;
    } else {
      result.failure = body.empty() ? "it does not say why" : body;
      result.done = true;
    }
    result.arrived.notify_all();
    return view::Answer{200, "text/plain; charset=utf-8", "thanks\n"};
  };
  const Uninterrupted with_browser;  // which must not outlive this
  const view::Server server(settings, handlers);
  const Browser browser(find_chromium(), server.address(), size.width, size.height, a.gpu);
  ProgressBar bar(wants_progress(a.quiet), "drawing");
  std::unique_lock lock(result.mutex);
  while (!result.done) {
    result.arrived.wait_for(lock, 200ms);
    bar.show(static_cast<std::int64_t>(1000 * result.share), 1000);
    if (interrupted()) throw UsageError("stopped");
    if (!result.done && !browser.runs())
      throw UsageError(
          "Chromium ended before there was a picture; does 'chromium --headless' run?");
    // a frame takes a second or two at worst, also of a large scene on a small machine
    if (std::chrono::steady_clock::now() - result.heard > 180s)
      throw UsageError("Chromium made no picture in three minutes");
  }
  bar.end();
  if (!result.failure.empty()) throw UsageError("the page could not draw it: " + result.failure);
  return result.bytes;
}

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The same film, in H.264, which wants even sides. Empty: ffmpeg could not.
std::string to_mp4(const std::string& film) {
  const std::string ffmpeg = find_program("ffmpeg");
  const PrivateFolder folder;
  const fs::path webm = folder.path() / "film.webm", made = folder.path() / "film.mp4";
  write_file(webm, film);
  const pid_t process = fork();
  if (process == 0) {
    execl(ffmpeg.c_str(), "ffmpeg", "-loglevel", "error", "-y", "-i", webm.c_str(), "-c:v",
          "libx264", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-crf", "18",
          "-movflags", "+faststart", "-f", "mp4", made.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  const bool done = process > 0 && waitpid(process, &status, 0) > 0 && status == 0;
  return done ? read(made) : "";
}

void write_mp4(const fs::path& out, const std::string& film) {
  if (const std::string mp4 = to_mp4(film); !mp4.empty()) return write_file(out, mp4);
  const std::string webm = out.string() + ".webm";
  write_file(webm, film);
  throw UsageError(out.string() + ": ffmpeg could not make it; the film is in " + webm);
}

int render_command(const RenderArguments& a) {
  const Kind kind = kind_of(a.out);
  const Size size = parse_size(a.size);
  if (a.fps < 1 || a.fps > 120) throw UsageError("--fps: from 1 to 120");
  if (!(a.speed > 0) || a.speed > 1000) throw UsageError("--speed: more than 0");
  if (kind == Kind::mp4 && find_program("ffmpeg").empty())
    throw UsageError(a.out + ": mp4 needs ffmpeg, and there is none; write .webm instead");
  find_chromium();  // known before the work begins
  check_output(a.out);

  const bool picture = kind == Kind::picture;
  Json boot = a.view.boot("render");
  if (!boot.contains("theme")) boot["theme"] = "light";
  boot["width"] = size.width, boot["height"] = size.height;
  boot["video"] = !picture, boot["fps"] = a.fps, boot["speed"] = a.speed,
  boot["caption"] = a.caption;
  const Model model = a.view.is_recording()
                          ? a.view.recorded_model(Recording(a.view.world.world), true)
                          : a.view.world.read(a.quiet);
  double moment = a.view.world.time;
  if (!a.at.empty()) {
    moment = parse_number(a.at, "--at");
    if (!picture) throw UsageError("--at: is for pictures; a film ends at --time");
    if (a.view.is_recording()) boot["at"] = moment;
  }
  if (!(moment >= 0)) throw UsageError("--at: zero or more (s)");
  const std::vector<view::Film> all = films(a, model, picture, moment);
  if (!a.view.follow_known(model)) throw UsageError("--follow: there is no such body");
  Json labels = Json::array();
  for (const view::Film& film : all) labels.push_back(film.label);
  boot["lanes"] = std::move(labels);
  const std::string drawn = draw(a, boot, size, all);
  const Uninterrupted whole;
  kind == Kind::mp4 ? write_mp4(a.out, drawn) : write_file(a.out, drawn);
  if (!a.quiet) print_safe("  wrote {}\n", a.out);
  return kDone;
}

}  // namespace

void add_render(CLI::App& app, int* exit_code) {
  auto args = std::make_shared<RenderArguments>();
  RenderArguments& a = *args;
  CLI::App* command = app.add_subcommand(
      "render", "a picture or a film of a world or a recording, without a screen");
  add_view_flags(*command, a.view, true);
  auto option = [&](const char* name, auto& target, const char* about, const char* form) {
    return command->add_option(name, target, about)->option_text(form);
  };
  option("--out", a.out, "picture (.png) or film (.webm; .mp4 where there is ffmpeg)", "FILE")
      ->required();
  option("--at", a.at, "time of a picture (default: the end of --time)", "S");
  option("--size", a.size, "pixels (default 1280x720)", "WxH");
  option("--fps", a.fps, "frames per second of a film (default 30)", "N");
  option("--speed", a.speed, "speed of a film: 0.1 is ten times slower (default 1)", "X");
  command->add_flag("--caption", a.caption, "draw the time into the picture");
  command->add_flag("--gpu", a.gpu,
                    "allow Chromium to use a graphics card (default: it draws on the processor)");
  command->add_flag("--quiet", a.quiet, "print nothing but errors");
  command->footer(
      "Examples:\n"
      "  abut render diff_drive --time 2 --out drive.png\n"
      "  abut render sunk_tower --contact st,ap --time 3 --out tower.webm\n"
      "  abut render out.h5 --at 1.5 --show points,cones,forces --out moment.png\n"
      "Exit codes: 0 done, 2 bad usage or input, or Chromium is missing, 130 or 143 stopped by "
      "SIGINT\n"
      "(^C) or SIGTERM.");
  command->callback([args, exit_code] {
    need_viewer();
    *exit_code = render_command(*args);
  });
}

}  // namespace abut::tool
