#!/bin/sh
# Draws the graphs of docs/architecture.md from the #includes of abut/, as Mermaid text between the
# lines <!-- graph: NAME --> and <!-- end -->.
#
#   docs/draw.sh                  writes them into docs/architecture.md
#   docs/draw.sh --check          says what would change, and fails if anything would
#   docs/draw.sh --modules ROOM   prints the graph of the modules of a room, or of a folder (collide/patch)
set -eu
cd "$(dirname "$0")/.."
page=docs/architecture.md

# "A B" for each include: a module (a header with its source, by its path from abut/) and one that it
# includes
includes() {
  find abut -name '*.h' -o -name '*.cpp' -o -name '*.inl' | LC_ALL=C sort | xargs awk '
    FNR == 1 { file = FILENAME; sub(/^abut\//, "", file); sub(/\.[a-z]*$/, "", file) }
    /^[ \t]*#[ \t]*include[ \t]*"abut\// {
      sub(/^[^"]*"abut\//, ""); sub(/\.[a-z]*".*/, "")
      if ($0 != file) print file, $0
    }'
}

# Edges as a Mermaid graph: an arrow from who includes to what is included. One that follows from others
# is left out.
graph() {
  LC_ALL=C sort -u | awk '
    function node(name,    id) { id = name; gsub(/[^a-z0-9]/, "_", id); return id "[\"" name "\"]" }
    $1 != $2 {
      for (i = 1; i <= 2; ++i) if (!($i in seen)) { seen[$i] = 1; name[++n] = $i }
      edge[$1, $2] = reach[$1, $2] = 1
      from[++edges] = $1; to[edges] = $2
    }
    END {
      for (k = 1; k <= n; ++k) for (i = 1; i <= n; ++i) if ((name[i], name[k]) in reach)
        for (j = 1; j <= n; ++j) if ((name[k], name[j]) in reach) reach[name[i], name[j]] = 1
      print "```mermaid\nflowchart TD"
      for (e = 1; e <= edges; ++e) {
        a = from[e]; b = to[e]; follows = 0
        for (k = 1; k <= n && !follows; ++k) {
          c = name[k]
          follows = c != a && c != b && (a, c) in edge && (c, b) in reach && !((b, c) in reach) && !((c, a) in reach)
        }
        if (!follows) print "  " node(a) " --> " node(b)
      }
      print "```"
    }'
}

rooms() { includes | sed 's|/[^ ]*||g' | grep -v version | graph; }
# within each room: what rooms include of each other is in the graph of rooms
folders() {
  includes | sed 's|/[^/ ]*\( \)|\1|; s|/[^/ ]*$||' |
    awk '{ split($1, a, "/"); split($2, b, "/") } a[1] == b[1]' | graph
}
modules() { includes | awk -v room="$1/" 'index($1, room) == 1 && index($2, room) == 1' | graph; }

drawn() {
  while IFS= read -r line; do
    case $line in
      '<!-- graph: '*) printf '%s\n' "$line"; name=${line#<!-- graph: }; ${name% -->}; skips=1 ;;
      '<!-- end -->') skips=; printf '%s\n' "$line" ;;
      *) [ -n "${skips-}" ] || printf '%s\n' "$line" ;;
    esac
  done < $page
}

case ${1-} in
  --modules) modules "$2" ;;
  --check)
    drawn | diff $page - ||
      { echo "docs/architecture.md does not show the includes of abut/: run docs/draw.sh"; exit 1; } ;;
  *) new=$(drawn) && printf '%s\n' "$new" > $page ;;
esac
