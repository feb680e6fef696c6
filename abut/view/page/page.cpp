#include "abut/view/page/page.h"

#include <fmt/format.h>

#include "abut/view/page/markup.h"
#include "abut/view/plot/plot.h"

namespace abut::view {

namespace {

constexpr std::string_view kPageStyle = R"css(
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.55 system-ui, -apple-system, "Segoe UI", "Noto Sans", "DejaVu Sans", sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 36px 28px 48px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 10px; letter-spacing: -.01em; overflow-wrap: anywhere; }
h1 small { font-size: 15px; font-weight: 400; color: var(--soft); letter-spacing: 0; }
h2 { font-size: 18px; margin: 40px 0 12px; padding-top: 14px; border-top: 1px solid var(--grid); }
p { max-width: 75ch; margin: 0 0 12px; }
.soft { color: var(--soft); font-size: 13px; }
code { font: 13px ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(460px, 100%), 1fr)); gap: 18px; margin-top: 14px; }
figure { margin: 0; padding: 14px 16px 8px; border: 1px solid var(--grid); border-radius: 8px;
  background: var(--card); break-inside: avoid; }
.facts { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; margin: 22px 0 0; }
.facts div { padding: 10px 14px; border: 1px solid var(--grid); border-radius: 8px; background: var(--card); }
.facts b { display: block; font-size: 21px; font-weight: 600; line-height: 1.3; font-variant-numeric: tabular-nums;
  white-space: nowrap; }
.facts span { color: var(--soft); font-size: 12.5px; }
.notice { margin: 20px 0 0; padding: 12px 18px; border-left: 5px solid var(--c4); border-radius: 4px;
  background: color-mix(in srgb, var(--c4) 12%, var(--paper)); break-inside: avoid; }
.notice.bad { border-color: var(--c1); background: color-mix(in srgb, var(--c1) 14%, var(--paper)); }
.notice ul { margin: 4px 0 0; padding-left: 20px; }
.notice li { overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 14px; }
th, td { text-align: left; padding: 4px 18px 4px 0; border-bottom: 1px solid var(--grid); vertical-align: top; }
th { font-weight: 600; }
thead th { color: var(--soft); font-size: 12.5px; font-weight: 500; }
td.n, th.n { text-align: right; white-space: nowrap; padding-left: 10px; padding-right: 6px; }
td.gap, th.gap { padding-left: 34px; }
table.wide { width: 100%; }
.settings { columns: 2; column-gap: 40px; }
.settings table { width: 100%; }
.settings tr { break-inside: avoid; }
.settings th { font-weight: 400; color: var(--soft); width: 42%; }
footer { margin-top: 40px; color: var(--soft); font-size: 13px; }
@media (max-width: 760px) { .settings { columns: 1; } main { padding: 20px 14px; } }
@media print { main { max-width: none; padding: 0; } .figures { grid-template-columns: 1fr 1fr; gap: 8px; }
  body, .soft, footer { font-size: 11px; } h2 { break-after: avoid; margin-top: 20px; }
  table { font-size: 9.5px; } thead th { font-size: 9px; } td, th { padding-right: 8px; } td.gap, th.gap { padding-left: 12px; }
  tr { break-inside: avoid; } .scroll { overflow: visible; } .settings { columns: 2; } }
)css";

}  // namespace

std::string page_around(std::string_view title, std::string_view body, bool sealed) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n";
  out += "<meta name=\"color-scheme\" content=\"light dark\"/>\n";
  if (sealed)
    out +=
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src "
        "'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:\"/>\n";
  out += fmt::format("<title>{} – abut</title>\n<style>{}{}</style>\n</head>\n<body>\n<main>\n",
                     escape(title), plot_style(), kPageStyle);
  out += body;
  out += fmt::format("</main>\n<script>{}</script>\n</body>\n</html>\n", plot_script());
  return out;
}

}  // namespace abut::view
