#include "reproduce_page.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/reproduce/papers.h"
#include "abut/view/page/markup.h"
#include "abut/view/page/page.h"
#include "abut/view/page/viewer_page.h"
#include "abut/view/plot/draw.h"

namespace abut::tool {
namespace {

using namespace view;
using reproduce::Check;
using reproduce::Claim;
using reproduce::to_text;

std::string verdict(const Check& check) {
  if (!check.pass) return "reported";
  return *check.pass ? "passed" : "<b>failed</b>";
}

std::string or_dash(const std::string& text) { return text.empty() ? "–" : escape(text); }

std::string comes_out(const Check& check) {
  const std::string word(name(check.paper.claim));
  return check.paper.claim == Claim::yes || word.empty() ? or_dash(word) : "<b>" + word + "</b>";
}

std::string table_of(std::initializer_list<const char*> heads, const std::string& rows) {
  std::string out = "<div class=\"scroll\"><table class=\"wide\"><thead><tr>";
  for (const char* head : heads) out += fmt::format("<th>{}</th>", head);
  return out + "</tr></thead><tbody>\n" + rows + "</tbody></table></div>\n";
}

std::string table(const std::vector<Check>& checks) {
  std::string rows;
  for (const Check& c : checks) {
    rows += fmt::format("<tr><th>{}</th><td>{}", escape(c.id), escape(c.statement));
    if (!c.settings.empty()) rows += "<br/><span class=\"soft\">" + escape(c.settings) + "</span>";
    if (!c.world.empty())
      rows += "<br/><span class=\"soft\">world <code>" + escape(c.world) + "</code></span>";
    rows += fmt::format("</td><td>{}</td><td>{}</td><td>{}</td><td>{}{}</td><td>{}</td></tr>\n",
                        or_dash(to_text(c.paper.value)), escape(to_text(c.measured)), comes_out(c),
                        escape(c.expected),
                        c.own_bound ? "<br/><span class=\"soft\">from our own results</span>" : "",
                        verdict(c));
  }
  return table_of(
      {"check", "what is said to hold", "the paper", "ours", "comes out", "our bound", ""}, rows);
}

// Every figure and table of the papers that ran, beside ours.
std::string figures(std::span<const FinishedExperiment> finished) {
  std::string out;
  for (const reproduce::Paper& paper : reproduce::papers()) {
    const RowCount n = counted(finished, paper.seed);
    if (n.rows() == 0) continue;
    std::string rows;
    for (const reproduce::PaperItem& item : reproduce::paper_items()) {
      if (std::string_view(item.seed) != paper.seed || item.item[0] == '(') continue;
      const std::vector<std::string> ids = reproduce::row_ids(item);
      for (const FinishedExperiment& f : finished)
        for (const Check& c : f.outcome.checks)
          if (c.paper.claim != Claim::none && std::find(ids.begin(), ids.end(), c.id) != ids.end())
            rows += fmt::format(
                "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}<br/><span "
                "class=\"soft\">{}</span></td><td>{}</td></tr>\n",
                escape(item.item), escape(c.id), or_dash(to_text(c.paper.value)),
                escape(to_text(c.measured)), escape(c.statement), comes_out(c));
    }
    out += fmt::format(
        "<h2>{}</h2>\n<p>{} statements come out as printed, {} not as printed, {} do not.</p>\n",
        escape(paper.name), n.yes, n.not_as_printed, n.no);
    out += table_of({"in the paper", "row", "the paper", "ours", "comes out"}, rows);
  }
  return out;
}

std::string did_not_come_out(std::span<const FinishedExperiment> finished) {
  std::string rows;
  for (const FinishedExperiment& f : finished)
    for (const Check& c : f.outcome.checks)
      if (c.paper.claim == Claim::no || c.paper.claim == Claim::not_as_printed)
        rows += fmt::format(
            "<tr><th>{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
            escape(c.id), escape(c.statement), or_dash(to_text(c.paper.value)),
            escape(to_text(c.measured)), comes_out(c), escape(c.paper.why));
  if (rows.empty()) return {};
  return "<h2>What did not come out, and why</h2>\n" +
         table_of({"check", "what is said to hold", "the paper", "ours", "comes out", "why"}, rows);
}

}  // namespace

RowCount counted(std::span<const FinishedExperiment> finished, std::string_view seed) {
  RowCount n;
  for (const FinishedExperiment& f : finished) {
    if (!seed.empty() && seed != f.experiment->seed) continue;
    for (const Check& c : f.outcome.checks) {
      ++(!c.pass ? n.reported : *c.pass ? n.passed : n.failed);
      n.yes += c.paper.claim == Claim::yes;
      n.no += c.paper.claim == Claim::no;
      n.not_as_printed += c.paper.claim == Claim::not_as_printed;
    }
  }
  return n;
}

Plot to_plot(const reproduce::Graph& graph) {
  Plot plot;
  plot.title = graph.title;
  plot.x = {graph.x, graph.x_unit};
  plot.y = {graph.y, graph.y_unit};
  int colour = 0;
  for (const auto& curve : graph.curves)
    plot.lines.push_back({curve.name, curve.points, colour++ % kColours});
  for (const auto& level : graph.levels) plot.levels.push_back({level.y, level.name});
  return plot;
}

std::string reproduce_page(std::span<const FinishedExperiment> finished, std::string_view version) {
  const RowCount n = counted(finished);
  std::string out = fmt::format("<h1>The papers' experiments <small>run by abut {}</small></h1>\n",
                                escape(version));
  out += fmt::format(
      "<p>{} rows hold our own bound, {} do not, {} are reported only. Of what the papers say {} "
      "statements come out with the papers' settings, {} only with something changed or fitted, {} "
      "do "
      "not.</p>\n",
      n.passed, n.failed, n.reported, n.yes, n.not_as_printed, n.no);
  if (n.failed > 0)
    out += fmt::format("<div class=\"notice bad\"><b>{} failed</b></div>\n",
                       n.failed == 1 ? "One check" : count(n.failed) + " checks");
  out += figures(finished) + did_not_come_out(finished);
  int films = 0;
  for (const FinishedExperiment& f : finished) {
    const reproduce::Experiment& e = *f.experiment;
    out += fmt::format("<h2>{}: {}</h2>\n<p class=\"soft\">seed {}{}{}, {}</p>\n", escape(e.id),
                       escape(e.title), escape(e.seed), *e.figure ? ", " : "", escape(e.figure),
                       seconds(f.seconds));
    out += table(f.outcome.checks);
    for (const WorldFilm& w : f.films) {
      const Film* lanes[] = {w.film.get()};
      const std::string where = "world <code>" + escape(w.world) + "</code>";
      out += w.time > 0
                 ? fmt::format("<p class=\"soft\">The first {} of {} under its own settings.</p>\n",
                               seconds(w.time), where)
                 : fmt::format("<p class=\"soft\">The {} as it stands.</p>\n", where);
      out += player(lanes, fmt::format("film{}", ++films), 380);
    }
    if (f.outcome.graphs.empty() && f.outcome.drawings.empty()) continue;
    out += "<div class=\"figures\">\n";
    for (const auto& drawing : f.outcome.drawings)
      out += "<figure>" + to_svg(drawing) + "</figure>\n";
    for (const auto& graph : f.outcome.graphs)
      out += "<figure>" + to_svg(to_plot(graph)) + "</figure>\n";
    out += "</div>\n";
  }
  out += "<footer>SI units. <code>abut reproduce ID</code> runs one of them again.</footer>\n";
  if (films > 0) out += player_script();
  return page_around("The papers' experiments", out, films > 0);
}

}  // namespace abut::tool
