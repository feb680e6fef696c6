#include "compare_page.h"

#include <fmt/format.h>

#include "abut/view/page/markup.h"
#include "abut/view/page/page.h"
#include "abut/view/page/viewer_page.h"
#include "abut/view/plot/plot.h"

namespace abut::tool {

namespace {

// The page has room for four side by side.
bool add_replay(const std::vector<Entry>& all, std::string& body) {
  std::vector<const view::Film*> lanes;
  for (const Entry& e : all)
    if (e.film && !e.film->frames().empty() && lanes.size() < 4) lanes.push_back(&*e.film);
  if (lanes.empty()) return false;
  body += view::player(lanes, "runs", lanes.size() == 4 ? 760 : 480);
  return true;
}

}  // namespace

const std::vector<Column>& compare_columns() {
  static const std::vector<Column> all = {
      {"steps/s", "", Json::json_pointer("/steps_per_s"),
       "the time of contact data, solver and integration; without measuring"},
      {"overlap max", "m", Json::json_pointer("/penetration/max"),
       "the deepest that two solids overlapped in the whole run"},
      {"mean", "m", Json::json_pointer("/penetration/mean"),
       "the same, the mean over pairs that touch and over steps"},
      {"energy drift", "", Json::json_pointer("/energy_drift"),
       "the largest change of kinetic and potential energy, relative to the larger of what there "
       "was "
       "at the start and the largest kinetic energy; friction and impacts take energy too"},
      {"lifted", "J", Json::json_pointer("/energy/stabilization"),
       "energy that the stabiliser added by moving bodies"},
      {"joint error", "m, rad", Json::json_pointer("/joint_error_max"),
       "the largest error of a joint"},
      {"residual", "", Json::json_pointer("/residual_max"),
       "the largest error that a contact problem was left with"}};
  return all;
}

std::string compare_page(const std::vector<Entry>& all, const Model& model) {
  std::string body =
      fmt::format("<h1>{} under {} contact models</h1>\n", view::escape(model.name), all.size());
  const bool replayed = add_replay(all, body);
  body += "<table><thead><tr><th>contact</th>";
  for (const Column& c : compare_columns())
    body += fmt::format("<th title=\"{}\">{}{}</th>", c.meaning, c.title,
                        *c.unit ? fmt::format(" ({})", c.unit) : "");
  body += "</tr></thead><tbody>\n";
  for (const Entry& e : all) {
    body += fmt::format("<tr><th>{}</th>", view::escape(e.label));
    for (const Column& c : compare_columns()) {
      const Json& x = e.summary[c.field];
      body += fmt::format("<td>{}</td>", x.is_null() ? "–" : view::number(x.get<double>(), 3));
    }
    body += "</tr>\n";
  }
  body += "</tbody></table>\n<ul class=\"soft\">\n";
  for (const Column& c : compare_columns())
    body += fmt::format("<li>{}: {}</li>\n", c.title, c.meaning);
  body += "</ul>\n";
  const auto draw = [&](const char* title, view::Axis y, view::Series Entry::*series) {
    view::Plot plot;
    plot.title = title;
    plot.x = {"time", "s"};
    plot.y = std::move(y);
    int colour = 0;
    for (const Entry& e : all)
      plot.lines.push_back({e.label, (e.*series).points(), colour++ % view::kColours});
    body += view::to_svg(plot) + "\n";
  };
  draw("Energy, kinetic and potential", {"energy", "J"}, &Entry::energy);
  draw("Deepest overlap", {"overlap", "m"}, &Entry::overlap);
  if (replayed) body += view::player_script();
  return view::page_around(model.name + ": contact models compared", body, replayed);
}

}  // namespace abut::tool
