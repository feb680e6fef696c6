#!/bin/sh
# A page for Doxygen, whose Markdown knows neither links to headings nor pictures in folders:
# headings get names of their own, links to them follow, and pictures become elements of HTML. Links
# to files of the tree that are not on the site become plain text.
exec awk -v root="$PWD/" '
  function folder_of(path) { return path ~ /\// ? substr(path, 1, match(path, /[^\/]*$/) - 1) : "" }
  # docs/contact-models/ + ../images/a.svg: docs/images/a.svg
  function joined(folder, path) {
    while (sub(/^\.\//, "", path)) ;
    while (path ~ /^\.\.\//) { sub(/^\.\.\//, "", path); sub(/[^\/]*\/$/, "", folder) }
    return folder path
  }
  function name(file, heading) {
    heading = tolower(heading)
    gsub(/`|\*/, "", heading); gsub(/[^a-z0-9 _-]/, "", heading); gsub(/ /, "-", heading)
    file = file "_" heading
    gsub(/[^A-Za-z0-9]/, "_", file)
    return "h_" file
  }
  function link(text, target,    parts, n, file) {
    n = split(target, parts, "#")
    file = parts[1] == "" ? page : joined(folder, parts[1])
    if (file !~ /\.md$/) return text
    if (n > 1) return "[" text "](#" name(file, parts[2]) ")"
    return "[" text "](@ref " (file == "README.md" ? "index" : file) ")"
  }
  # a picture, or a film, in the folder of the site
  function on_site(target) { target = joined(folder, target); sub(/^docs\//, "", target); return target }
  # a picture that leads to a film: [![text](picture)](film)
  function with_films(line,    whole, parts) {
    while (match(line, /\[!\[[^]]*\]\([^) ]*\)\]\([^) ]*\)/)) {
      whole = substr(line, RSTART, RLENGTH)
      split(whole, parts, /\[!\[|\]\(|\)\]\(|\)/)
      line = substr(line, 1, RSTART - 1) "<a href=\"" on_site(parts[4]) "\"><img src=\"" on_site(parts[3]) "\" alt=\"" parts[2] "\"/></a>" \
        substr(line, RSTART + RLENGTH)
    }
    return line
  }
  # of what is not code
  function prose(line,    out, whole, text, target) {
    line = with_films(line)
    while (match(line, /!?\[[^]]*\]\([^) ]*\)/)) {
      out = out substr(line, 1, RSTART - 1)
      whole = substr(line, RSTART, RLENGTH)
      line = substr(line, RSTART + RLENGTH)
      text = whole; sub(/^!?\[/, "", text); sub(/\]\([^)]*\)$/, "", text)
      target = whole; sub(/^.*\]\(/, "", target); sub(/\)$/, "", target)
      if (whole ~ /^!/) { out = out "<img src=\"" on_site(target) "\" alt=\"" text "\"/>" }
      else if (target ~ /^[a-z]+:/) out = out whole
      else out = out link(text, target)
    }
    return out line
  }
  FNR == 1 { page = FILENAME; sub("^" root, "", page); sub(/^\.\//, "", page); folder = folder_of(page) }
  /^```/ { code = !code; print; next }
  code { print; next }
  /^#+ / && !/^# / { heading = $0; sub(/^#+ +/, "", heading); id = name(page, heading)
    print prose($0) " {#" id (seen[id]++ ? "_" seen[id] - 1 : "") "}"; next }
  { print prose($0) }
' "$1"
