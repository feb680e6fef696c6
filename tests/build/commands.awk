# The shell commands of pages, one a line: page:line, a tab, kind, a tab, the command.
#
#   awk -f commands.awk README.md docs/tour.md ..
#
# Kind `run`: a line of a block ```sh, or a line that begins with $ in a block without a language.
# Kind `flags`: `abut ...` within a sentence, often with words such as WORLD in it.
# Kind `file`: a block ```xml under a sentence that says "NAME.xml": the command writes the file.
# A comment that says "minutes", "network" or "plug-in" keeps a command from being run; its flags are
# checked all the same.

function kind_of(line) { return line ~ /#.*(minutes|network|plug-in)/ || line ~ /--plugin/ ? "flags" : "run" }
function put(kind, command) { printf "%s:%d\t%s\t%s\n", FILENAME, FNR, kind, command }

# the command, and the comment of it
function command_of(line) {
  sub(/^\$ /, "", line)
  sub(/ +#.*$/, "", line)
  gsub(/build\/release\/abut/, "abut", line)
  return line
}

function spans(line,    parts, n, i) {
  n = split(line, parts, "`")
  for (i = 2; i <= n; i += 2)
    if (parts[i] ~ /^(build\/release\/)?abut [a-z]+ .*--/) put("flags", command_of(parts[i]))
}

FNR == 1 { fence = ""; inside = 0; wanted = "" }
/^```/ {
  if (inside && fence == "xml" && wanted != "") put("file", "cat > " wanted " <<'XML'" body "\\nXML")
  inside = !inside
  fence = inside ? substr($0, 4) : ""
  body = ""
  next
}
inside && fence == "xml" { body = body "\\n" $0; next }
inside && fence == "sh" && $0 != "" { put(kind_of($0), command_of($0)); next }
inside && fence == "" && /^\$ / { put(kind_of($0), command_of($0)); next }
!inside {
  if (match($0, /`[a-z_]+\.xml`/)) wanted = substr($0, RSTART + 1, RLENGTH - 2)
  spans($0)
}
