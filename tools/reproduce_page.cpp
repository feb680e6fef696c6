#include "reproduce_page.h"

#include <fmt/format.h>

#include "abut/view/page/markup.h"
#include "abut/view/page/page.h"
#include "abut/view/page/viewer_page.h"
#include "abut/view/plot/draw.h"

namespace abut::tool {
namespace {

using namespace view;
using reproduce::Check;
using reproduce::to_text;

struct Count {
  int passed = 0, failed = 0, reported = 0;
};

Count counted(std::span<const FinishedExperiment> finished) {
  Count n;
  for (const FinishedExperiment& f : finished)
    for (const Check& c : f.outcome.checks)
      ++(!c.pass ? n.reported : *c.pass ? n.passed : n.failed);
  return n;
}

std::string verdict(const Check& check) {
  if (!check.pass) return "reported";
  return *check.pass ? "passed" : "<b>failed</b>";
}

std::string table(const std::vector<Check>& checks) {
  std::string out =
      "<div class=\"scroll\"><table class=\"wide\"><thead><tr><th>check</th><th>what is said to "
      "hold</th><th>paper</th><th>expected</th><th>measured</th><th></th></tr></thead><tbody>\n";
  for (const Check& c : checks) {
    out += fmt::format("<tr><th>{}</th><td>{}", escape(c.id), escape(c.claim));
    if (!c.settings.empty()) out += "<br/><span class=\"soft\">" + escape(c.settings) + "</span>";
    if (!c.world.empty())
      out += "<br/><span class=\"soft\">world <code>" + escape(c.world) + "</code></span>";
    const std::string paper = to_text(c.paper);
    out += fmt::format("</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                       paper.empty() ? "–" : escape(paper), escape(c.expected),
                       escape(to_text(c.measured)), verdict(c));
  }
  return out + "</tbody></table></div>\n";
}

}  // namespace

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

std::string standalone_svg(const Plot& plot) {
  std::string svg = to_svg(plot);
  // in a page the style comes from the page
  const auto end = svg.find('>');
  if (end == std::string::npos) return svg;
  svg.insert(end + 1, fmt::format("<style>{}</style>", plot_style()));
  if (svg.find("xmlns=") == std::string::npos || svg.find("xmlns=") > end)
    svg.insert(svg.find("<svg") + 4, " xmlns=\"http://www.w3.org/2000/svg\"");
  return svg;
}

std::string reproduce_page(std::span<const FinishedExperiment> finished, std::string_view version) {
  const Count n = counted(finished);
  std::string out = fmt::format("<h1>The papers' experiments <small>run by abut {}</small></h1>\n",
                                escape(version));
  out += fmt::format(
      "<p>{} checks passed, {} failed, {} are reported only. What a paper printed and did not come "
      "out stands here too.</p>\n",
      n.passed, n.failed, n.reported);
  if (n.failed > 0)
    out += fmt::format("<div class=\"notice bad\"><b>{} failed</b></div>\n",
                       n.failed == 1 ? "One check" : count(n.failed) + " checks");
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
