#include "abut/view/page/viewer_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "abut/view/page/markup.h"
#include "abut/view/scene/bytes.h"

namespace abut::view {

bool has_viewer() { return viewer_script().size() > 1000; }

std::string script_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    // in JSON these stand in strings alone
    if (c == '<')
      out += "\\u003c";
    else if (c == '>')
      out += "\\u003e";
    else if (c == '&')
      out += "\\u0026";
    else
      out += c;
  }
  return out;
}

std::string viewer_page(std::string_view title, std::string_view boot) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n";
  out += fmt::format("<title>{} – abut</title>\n</head>\n<body class=\"abut-viewer\">\n",
                     escape(title));
  out += fmt::format("<script type=\"application/json\" id=\"abut-boot\">{}</script>\n",
                     script_safe(boot));
  return out + player_script() + "</body>\n</html>\n";
}

std::string player(std::span<const Film* const> lanes, std::string_view id, int height) {
  if (lanes.empty()) return "";
  nlohmann::json labels = nlohmann::json::array();
  for (const Film* film : lanes) labels.push_back(film->label);
  std::string out = fmt::format(
      "<div class=\"abut-player\" data-film=\"{}\" data-lanes=\"{}\" "
      "style=\"height:{}px\"></div>\n",
      escape(id), escape(labels.dump()), height);
  out += fmt::format("<script type=\"application/json\" id=\"{}-scene\">{}</script>\n", escape(id),
                     script_safe(lanes[0]->scene()));
  out += fmt::format("<script type=\"text/plain\" id=\"{}-film\">{}</script>\n", escape(id),
                     base64(film_bytes(lanes)));
  return out;
}

// The browser unpacks the script: a report carries a third of its size.
std::string player_script() {
  if (!has_viewer()) return "";
  return "<script type=\"text/plain\" id=\"abut-script\">" + base64(viewer_script()) +
         R"js(</script>
<script>
(async function () {
  var packed = Uint8Array.from(atob(document.getElementById("abut-script").textContent), function (c) {
    return c.charCodeAt(0);
  });
  var script = document.createElement("script");
  script.textContent = await new Response(
    new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
  document.head.append(script);
})();
</script>
)js";
}

}  // namespace abut::view
