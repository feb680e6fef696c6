// The page of a Report: words and tables around the plots.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/view/page/markup.h"
#include "abut/view/page/page.h"
#include "abut/view/page/report.h"
#include "abut/view/page/viewer_page.h"

namespace abut::view {

namespace {

constexpr int kMostRows = 200;  // of the table of bodies
constexpr std::size_t kMostWarnings = 200;

std::string fixed(double x, int decimals) {
  if (!std::isfinite(x)) return "–";
  std::string s = fmt::format("{:.{}f}", x, decimals);
  if (s.find_first_not_of("-0.") == std::string::npos) s.erase(0, s[0] == '-');
  if (s[0] == '-') s.replace(0, 1, "\u2212");
  return s;
}

std::string plural(std::int64_t n, std::string_view one, std::string_view many = "") {
  const std::string s = many.empty() ? std::string(one) + "s" : std::string(many);
  return count(n) + " " + (n == 1 ? std::string(one) : s);
}

double simulated(const Model& model, const RunFacts& facts) {
  return static_cast<double>(facts.outcome.steps) * model.option.timestep;
}

// A drift of energy is no error where an element of the model adds or removes energy.
std::string why_energy_changes(const Model& model) {
  const Options& o = model.option;
  std::vector<std::string_view> why;
  if (model.nu() > 0 && o.actuation_on) why.push_back("actuators do work");
  const bool damped = std::any_of(model.dofs.begin(), model.dofs.end(), [](const Dof& dof) {
    return dof.damping != std::array<double, 3>{};
  });
  if (damped && o.damper_on) why.push_back("joints are damped");
  if (o.density > 0 || o.viscosity > 0) why.push_back("the medium resists");
  return why.empty() ? "" : fmt::format(" ({})", fmt::join(why, ", "));
}

// A summary of the run in sentences.
std::string story(const Model& model, const RunFacts& facts, double drift, std::int64_t samples) {
  const RunOutcome& o = facts.outcome;
  const std::string contact = facts.contact == "none"
                                  ? "without contact"
                                  : fmt::format("with contact model {}", facts.contact);
  std::string s;
  if (o.steps == 0)
    s = fmt::format("<b>{}</b> took no step; this is its state at t = {}.", escape(model.name),
                    number(facts.time));
  else
    s = fmt::format(
        "<b>{}</b> ran for {} of simulated time: {} of {} with the {} integrator, {}, to t = {} s.",
        escape(model.name), seconds(simulated(model, facts)), plural(o.steps, "step"),
        seconds(model.option.timestep, 4), escape(facts.integrator), escape(contact),
        number(facts.time, 6));
  if (o.steps > 0 && o.wall_s > 0) {
    const double ratio = simulated(model, facts) / o.wall_s;
    s += fmt::format(" It took {} of wall clock, {} times {} than real time.", seconds(o.wall_s),
                     number(ratio >= 1 ? ratio : 1 / ratio, 3), ratio >= 1 ? "faster" : "slower");
  }
  if (o.steps > 0 && facts.energy_drift && samples > 1)
    s += fmt::format(" Its energy strayed from the initial one by at most {} J, {} of its scale{}.",
                     number(drift, 3), number(*facts.energy_drift, 3), why_energy_changes(model));
  s += fmt::format(" The hash of the final state is <code>{:016x}</code>.", facts.hash);
  return "<p>" + s + "</p>\n";
}

// The most important figures.
std::string key_figures(const Model& model, const RunFacts& facts) {
  const RunOutcome& o = facts.outcome;
  std::string out = "<div class=\"facts\">\n";
  auto fact = [&](const std::string& value, std::string_view what) {
    out += fmt::format("<div><b>{}</b><span>{}</span></div>\n", value, what);
  };
  fact(seconds(simulated(model, facts)), "simulated");
  fact(count(o.steps), o.steps == 1 ? "step" : "steps");
  fact(seconds(o.wall_s), "wall clock");
  if (o.steps > 0 && o.wall_s > 0)
    fact(number(simulated(model, facts) / o.wall_s, 3) + " ×", "real time");
  if (facts.energy_drift) fact(number(*facts.energy_drift, 3), "energy drift (relative)");
  // where gravity or an anchor acts, momentum is not conserved, and its drift has no meaning
  if (facts.momentum_drift && *facts.momentum_drift < 0.01)
    fact(number(*facts.momentum_drift, 3), "momentum drift (rel.)");
  fact(count(model.nv), "degrees of freedom");
  return out + "</div>\n";
}

std::string notices(const Model& model, const RunFacts& facts) {
  std::string out;
  if (facts.outcome.diverged_body >= 0)
    out += fmt::format(
        "<div class=\"notice bad\"><b>The simulation diverged</b> after t = {} s at body '{}'. "
        "What follows ends at the "
        "last good state. A smaller step, or the integrator implicit or rk4, may help.</div>\n",
        number(facts.time, 6), escape(model.body_names[facts.outcome.diverged_body]));
  if (facts.warnings.empty()) return out;
  out += fmt::format("<div class=\"notice\"><b>{}</b>\n<ul>\n",
                     plural(static_cast<std::int64_t>(facts.warnings.size()), "warning"));
  for (std::size_t i = 0; i < facts.warnings.size(); ++i) {
    if (i == kMostWarnings) {
      out += fmt::format("<li>… and {} more</li>\n", facts.warnings.size() - i);
      break;
    }
    out += "<li>" + escape(facts.warnings[i]) + "</li>\n";
  }
  return out + "</ul></div>\n";
}

std::string settings_table(const Model& model, const RunFacts& facts, std::int64_t samples) {
  std::string out = "<div class=\"settings\"><table><tbody>\n";
  auto row = [&](std::string_view name, const std::string& value) {
    out += fmt::format("<tr><th>{}</th><td>{}</td></tr>\n", name, value);
  };
  const Options& o = model.option;
  auto vector = [](const Vec3& v) {
    return fmt::format("({}, {}, {})", number(v.x()), number(v.y()), number(v.z()));
  };
  double moving = 0;
  std::int64_t movers = 0;
  for (const Link& link : model.links) moving += link.mass.mass, ++movers;
  row("step", seconds(o.timestep, 6));
  row("integrator", escape(facts.integrator));
  row("contact model", escape(facts.contact));
  row("gravity", o.gravity_on ? vector(o.gravity) + " m/s²" : "off");
  if (o.density > 0) row("density of the medium", number(o.density) + " kg/m³");
  if (o.viscosity > 0) row("viscosity of the medium", number(o.viscosity) + " Pa s");
  row("moving mass", number(moving) + " kg");
  row("degrees of freedom", count(model.nv));
  row("coordinates", count(model.nq));
  row("bodies", fmt::format("{}, of which {} move{}", count(model.nbody() - 1), count(movers),
                            movers == 1 ? "s" : ""));
  row("joints", count(static_cast<std::int64_t>(model.joints.size())));
  row("shapes", count(static_cast<std::int64_t>(model.geoms.size())));
  row("actuators", count(model.nu()));
  row("measured", samples > 0 ? plural(samples, "time") : "not at all");
  return out + "</tbody></table></div>\n";
}

std::string stage_bar(const RunFacts& facts) {
  double whole = 0;
  for (const Share& s : facts.stages) whole += s.amount;
  if (!(whole > 0)) return "";
  std::vector<Share> shares = facts.stages;
  for (Share& s : shares)
    s.text = fmt::format("{} ({:.0f} %)", seconds(s.amount), 100 * s.amount / whole);
  return "<h2>Where the time went</h2>\n<figure>" + share_bar("Stages of the step", shares) +
         "</figure>\n";
}

}  // namespace

std::string Report::bodies_table() const {
  std::string rows;
  int movers = 0;
  for (int b = 1; b < model_.nbody() && samples_ > 0; ++b) {
    if (model_.bodies[b].link < 0 && model_.bodies[b].mocap < 0) continue;
    if (++movers > kMostRows) continue;
    const Pose &from = first_pose_[b], &to = last_pose_[b];
    rows += "<tr><th>" + escape(model_.body_names[b]) + "</th>";
    for (int i = 0; i < 3; ++i) rows += fmt::format("<td class=\"n\">{}</td>", fixed(from.p[i], 4));
    for (int i = 0; i < 3; ++i)
      rows += fmt::format("<td class=\"n{}\">{}</td>", i ? "" : " gap", fixed(to.p[i], 4));
    // by atan2, because acos is inaccurate for small angles
    const Quat turn = from.q.conjugate() * to.q;
    const double turned = 2 * std::atan2(turn.vec().norm(), std::abs(turn.w())) * 180 / M_PI;
    rows += fmt::format(
        "<td class=\"n gap\">{}</td><td class=\"n gap\">{}</td><td class=\"n gap\">{}</td></tr>\n",
        fixed((to.p - from.p).norm(), 4), fixed(turned, 1),
        model_.bodies[b].link < 0 ? "driven" : fixed(last_speed_[b], 4));
  }
  if (movers == 0) return "";
  std::string out =
      "<h2>Bodies, from start to end</h2>\n<div class=\"scroll\"><table "
      "class=\"wide\"><thead><tr><th>body</th>"
      "<th class=\"n\">x from</th><th class=\"n\">y from</th><th class=\"n\">z from (m)</th>"
      "<th class=\"n gap\">x to</th><th class=\"n\">y to</th><th class=\"n\">z to (m)</th>"
      "<th class=\"n gap\">moved (m)</th><th class=\"n gap\">turned (°)</th><th class=\"n "
      "gap\">final speed (m/s)</th>"
      "</tr></thead><tbody>\n" +
      rows +
      "</tbody></table></div>\n<p class=\"soft\">Positions and speeds are those of the origins of "
      "the body frames.";
  if (movers > kMostRows)
    out += fmt::format(" {} more bodies are not listed; abut run --json has them all.",
                       count(movers - kMostRows));
  return out + "</p>\n";
}

std::string Report::page(const RunFacts& facts, const Film* film) const {
  const double drift = drift_.largest();
  std::string out;
  out += fmt::format("<h1>{} <small>simulated by abut{}</small></h1>\n", escape(model_.name),
                     facts.version.empty() ? "" : " " + escape(facts.version));
  out += story(model_, facts, drift, samples_);
  out += notices(model_, facts);
  out += key_figures(model_, facts);
  const bool replayed = film && has_viewer() && !film->frames().empty();
  if (replayed) out += player({{film}}, "run");

  const std::vector<Plot> all = plots();
  if (all.empty()) {
    out +=
        "<p class=\"soft\">Nothing was measured (--measure off), so there is nothing to "
        "draw.</p>\n";
  } else {
    out += "<h2>Motion and measures</h2>\n";
    if (!movers_.empty())
      out += fmt::format(
          "<p class=\"soft\">Lines follow centres of mass, from the ring to the dot; shapes are "
          "drawn where they ended and, "
          "dotted, where they began.{}</p>\n",
          movers_.size() > kColours
              ? fmt::format(" In colour: of {}, the {} that moved most.",
                            movers_.size() == kMostMovers
                                ? fmt::format("the first {} bodies", kMostMovers)
                                : fmt::format("{} bodies", movers_.size()),
                            kColours)
              : "");
    out += "<div class=\"figures\">\n";
    for (const Plot& plot : all) out += "<figure>" + to_svg(plot) + "</figure>\n";
    out += "</div>\n";
  }
  out += stage_bar(facts);
  out += "<h2>Settings</h2>\n" + settings_table(model_, facts, samples_);
  out += bodies_table();
  out +=
      "<footer>SI units; angles in radians unless marked °. Point at a plot to read its "
      "values.</footer>\n";
  if (replayed) out += player_script();
  return page_around(model_.name, out, replayed);
}

}  // namespace abut::view
