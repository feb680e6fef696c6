// abut reproduce: the papers' experiments.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <sstream>

#include "abut/math/output_file.h"
#include "abut/reproduce/papers.h"
#include "abut/reproduce/registry.h"
#include "abut/version.h"
#include "abut/view/page/page_file.h"
#include "abut/view/page/viewer_page.h"
#include "abut/view/plot/draw.h"
#include "commands.h"
#include "common.h"
#include "interrupt.h"
#include "progress.h"
#include "reproduce_page.h"
#include "world_flags.h"

namespace abut::tool {

namespace {

namespace fs = std::filesystem;
using reproduce::Check;
using reproduce::Choice;
using reproduce::Claim;
using reproduce::Experiment;
using reproduce::to_text;

struct ReproduceArguments {
  std::vector<std::string> ids;
  std::string out;
  bool json = false, list = false, quiet = false, table = false, papers = false, claims = false;
  bool tells() const { return !json && !quiet && !table && !claims; }
};

Json to_json(const reproduce::Value& value) {
  if (const double* x = std::get_if<double>(&value)) return *x;
  if (const auto* xs = std::get_if<std::vector<double>>(&value)) return *xs;
  if (const auto* words = std::get_if<std::string>(&value)) return *words;
  return nullptr;
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json row(const Experiment& e, const Check& c) {
  const reproduce::Paper* paper = reproduce::paper_of(e);
  return {{"id", c.id},
          {"experiment", e.id},
          {"seed", e.seed},
          {"paper", paper != nullptr ? Json(paper->name) : Json(nullptr)},
          {"figure", text_or_null(reproduce::figures_of(c.id))},
          {"statement", c.statement},
          {"claim", text_or_null(std::string(name(c.paper.claim)))},
          {"why", text_or_null(c.paper.why)},
          {"printed", to_json(c.paper.value)},
          {"expected", c.expected},
          {"bound", c.own_bound ? "our own results"
                    : c.pass    ? "derived"
                                : "none"},
          {"measured", to_json(c.measured)},
          {"pass", c.pass ? Json(*c.pass) : Json(nullptr)},
          {"settings", text_or_null(c.settings)},
          {"world", text_or_null(c.world)}};
}

void list_experiments(const ReproduceArguments& a) {
  Json out = Json::array();
  for (const Choice& choice : reproduce::select(a.ids)) {
    const Experiment& e = *choice.experiment;
    std::vector<std::string> checks(e.checks.begin(), e.checks.end());
    if (a.json)
      out.push_back({{"id", e.id},
                     {"seed", e.seed},
                     {"figure", text_or_null(e.figure)},
                     {"title", e.title},
                     {"checks", checks}});
    else
      print_safe("{:<6} {:<5} {:<7} {:<16} {}\n", e.id, e.seed, e.figure, join(checks), e.title);
  }
  if (a.json) print_json(out);
}

FinishedExperiment run(const Choice& choice, const reproduce::Progress& progress) {
  const auto start = std::chrono::steady_clock::now();
  FinishedExperiment f{choice.experiment, choice.experiment->run(progress), 0};
  f.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::erase_if(f.outcome.checks, [&](const Check& c) { return !choice.wants(c.id); });
  return f;
}

// The worlds that the checks name, each once. Those of worlds/contact are pairs that stand: they
// are shown as they are, the others for a few seconds.
std::vector<WorldFilm> films_of(const std::vector<Check>& checks) {
  constexpr double kTime = 3;  // s
  view::FilmSettings settings;
  settings.most_bytes = 1'500'000;
  std::vector<WorldFilm> films;
  for (const Check& check : checks) {
    const auto seen = [&](const WorldFilm& f) { return f.world == check.world; };
    if (check.world.empty() || std::any_of(films.begin(), films.end(), seen)) continue;
    auto model = std::make_shared<const Model>(load_for_tool(check.world, true));
    State state(*model);
    Input input(*model);
    WorldFlags().start(*model, state, input);
    Simulator simulator(*model);
    const double time = check.world.starts_with("contact/") ? 0 : kTime;
    auto film =
        std::make_shared<const view::Film>(view::film_run(simulator, state, input, time, settings));
    films.push_back({check.world, std::move(model), std::move(film), time});
  }
  return films;
}

void print_checks(const FinishedExperiment& f) {
  const Experiment& e = *f.experiment;
  print_safe("{}  {}{}{}\n", e.id, e.title, *e.figure ? ", " : "", e.figure);
  for (const Check& c : f.outcome.checks) {
    const char* verdict = !c.pass ? "reported" : *c.pass ? "passed" : "FAILED";
    print_safe("  {:<8} {:<6} {}\n", verdict, c.id, c.statement);
    const std::string printed = to_text(c.paper.value);
    if (!printed.empty()) print_safe("  {:<16}printed   {}\n", "", printed);
    if (c.paper.claim != Claim::none)
      print_safe("  {:<16}comes out {}{}{}\n", "", name(c.paper.claim),
                 c.paper.why.empty() ? "" : ": ", c.paper.why);
    print_safe("  {:<16}expected  {}\n  {:<16}measured  {}\n", "", c.expected, "",
               to_text(c.measured));
  }
}

// Checks that were made of several contact models, in Markdown: a row a claim, a column a model.
// What misses its bound is bold.
void print_table(const std::vector<FinishedExperiment>& finished) {
  std::vector<std::string> models, claims;
  const auto note = [](std::vector<std::string>& all, const std::string& word) {
    if (std::find(all.begin(), all.end(), word) == all.end()) all.push_back(word);
  };
  std::map<std::pair<std::string, std::string>, std::string> cells;
  for (const FinishedExperiment& f : finished)
    for (const Check& c : f.outcome.checks) {
      if (c.column.empty()) continue;
      const std::string claim = fmt::format("{} {} ({})", c.id, c.statement, c.expected);
      note(models, c.column);
      note(claims, claim);
      const double* x = std::get_if<double>(&c.measured);
      const std::string number = x != nullptr ? fmt::format("{:.1g}", *x) : to_text(c.measured);
      cells[{claim, c.column}] = c.pass.value_or(false) ? number : fmt::format("**{}**", number);
    }
  print_safe("| law | {} |\n| --- |{}\n", fmt::join(models, " | "),
             fmt::join(std::vector<std::string>(models.size(), " --- |"), ""));
  for (const std::string& claim : claims) {
    std::string row = "| " + claim + " |";
    for (const std::string& model : models) {
      const auto cell = cells.find({claim, model});
      row += cell == cells.end() ? " |" : " " + cell->second + " |";
    }
    print_safe("{}\n", row);
  }
}

// What a paper says and did not come out, and why, in Markdown.
void print_claims(const std::vector<FinishedExperiment>& finished) {
  print_safe("| row | what is said to hold | the paper | ours | comes out | why |\n{}\n",
             "| --- | --- | --- | --- | --- | --- |");
  const auto plain = [](std::string text) {
    std::replace(text.begin(), text.end(), '|', '/');
    return text;
  };
  for (const FinishedExperiment& f : finished)
    for (const Check& c : f.outcome.checks)
      if (c.paper.claim == Claim::no || c.paper.claim == Claim::not_as_printed)
        print_safe("| {} | {} | {} | {} | {} | {} |\n", c.id, plain(c.statement),
                   plain(to_text(c.paper.value)), plain(to_text(c.measured)), name(c.paper.claim),
                   plain(c.paper.why));
}

void print_papers() {
  std::istringstream lines(reproduce::papers_tables());
  for (std::string line; std::getline(lines, line);) print_safe("{}\n", line);
}

// What holds our own bounds, and what of the papers comes out.
void print_summary(const std::vector<FinishedExperiment>& finished) {
  const RowCount all = counted(finished);
  print_safe("\n{} rows: {} hold our own bound, {} do not, {} are reported only\n", all.rows(),
             all.passed, all.failed, all.reported);
  for (const reproduce::Paper& paper : reproduce::papers()) {
    const RowCount n = counted(finished, paper.seed);
    if (n.rows() == 0) continue;
    print_safe("{:<34} {:>3} statements come out, {:>2} not as printed, {:>2} do not\n", paper.name,
               n.yes, n.not_as_printed, n.no);
  }
}

// The page, its rows, and each picture as a file.
void write_folder(const fs::path& folder, view::PageFile& page, const Json& rows,
                  const std::vector<FinishedExperiment>& finished) {
  const Uninterrupted whole;
  view::PageFile(folder / "reproduce.json").write(json_text(rows));
  for (const FinishedExperiment& f : finished) {
    int number = 0;
    auto file = [&] { return folder / fmt::format("{}-{}.svg", f.experiment->id, ++number); };
    for (const Drawing& d : f.outcome.drawings) view::PageFile(file()).write(view::to_svg(d));
    for (const auto& g : f.outcome.graphs)
      view::PageFile(file()).write(view::standalone_svg(to_plot(g)));
  }
  page.write(reproduce_page(finished, abut::version()));
}

int reproduce_command(const ReproduceArguments& a) {
  const std::vector<Choice> choices = reproduce::select(a.ids);
  std::optional<view::PageFile> page;
  if (!a.out.empty()) {
    make_output_folder(a.out, "--out");
    page.emplace(fs::path(a.out) / "index.html");
  }

  std::vector<FinishedExperiment> finished;
  Json rows = Json::array();
  bool all_passed = true;
  ProgressBar bar(wants_progress(a.quiet), "the first experiment");
  for (std::size_t i = 0; i < choices.size(); ++i) {
    FinishedExperiment f = run(choices[i], [&](double share) {
      bar.show(static_cast<std::int64_t>(1000 * (static_cast<double>(i) + share)),
               static_cast<std::int64_t>(1000 * choices.size()));
    });
    bar.clear();
    for (const Check& c : f.outcome.checks) {
      rows.push_back(row(*f.experiment, c));
      all_passed = all_passed && c.pass.value_or(true);
    }
    if (a.tells()) print_checks(f);
    std::fflush(stdout);  // what is known stays known when the rest is interrupted
    if (page && view::has_viewer()) f.films = films_of(f.outcome.checks);
    finished.push_back(std::move(f));
  }
  bar.end();

  if (a.json) print_json(rows);
  if (a.claims && !a.json) print_claims(finished);
  if (a.tells()) print_summary(finished);
  if (a.table && !a.json) print_table(finished);
  if (page) write_folder(a.out, *page, rows, finished);
  if (page && !a.json && !a.quiet) print_safe("\nopen {}/index.html in a browser\n", a.out);
  return all_passed ? kDone : kCheckFailed;
}

}  // namespace

void add_reproduce(CLI::App& app, int* exit_code) {
  auto args = std::make_shared<ReproduceArguments>();
  CLI::App* command =
      app.add_subcommand("reproduce", "run the papers' experiments and their checks");
  command
      ->add_option("ids", args->ids,
                   "paper (002), laws, experiment (K-X4) or check (K-T9); none: all")
      ->option_text("[ID..]");
  command->add_option("--out", args->out, "folder for a page, its rows as JSON, and the pictures")
      ->option_text("DIR");
  command->add_flag("--list", args->list, "list the experiments and checks without running them");
  command->add_flag("--json", args->json, "one JSON document on stdout: one row per check");
  command->add_flag("--table", args->table,
                    "a Markdown table of the checks that apply to several models (laws)");
  command->add_flag("--claims", args->claims,
                    "a Markdown table of what a paper says and did not come out, and why");
  command->add_flag("--papers", args->papers,
                    "Markdown tables of the papers' figures, tables and equations, and their rows");
  command->add_flag("--quiet", args->quiet, "print nothing but errors");
  command->footer(
      "Examples:\n"
      "  abut reproduce --list\n"
      "  abut reproduce 002 --out build/reproduce\n"
      "  abut reproduce K-X4 K-T9 --json\n"
      "  abut reproduce laws --table\n"
      "A row has two verdicts: `pass`, whether abut holds its own bound, and `claim`, whether the "
      "paper's\n"
      "statement comes out with the paper's settings (yes, no, not as printed).\n"
      "Exit codes: 0 every check passed, 1 one failed, 2 bad usage, 130 or 143 stopped by SIGINT "
      "(^C)\n"
      "or SIGTERM.");
  command->callback([args, exit_code] {
    *exit_code = kDone;
    if (args->papers)
      print_papers();
    else if (args->list)
      list_experiments(*args);
    else
      *exit_code = reproduce_command(*args);
  });
}

}  // namespace abut::tool
