#!/bin/bash
# Draws every world and writes docs/gallery.md, with a picture, a line and a command for each:
#
#   docs/gallery.sh ABUT [WORLD..]      # with worlds: draws these alone, and writes the page
#   docs/gallery.sh ABUT none           # the page alone
#
# docs/gallery.txt has flags of single worlds. Worlds of contact/ are drawn by `abut contact --picture`.
set -eu
abut=$(realpath "$1") && shift
root=$(cd "$(dirname "$0")/.." && pwd)
pictures=$root/docs/images
mkdir -p "$pictures/gallery"
cd "$root"

flags_of() { awk -F' *[|] *' -v world="$1" '$1 == world { print $2 }' docs/gallery.txt; }
picture_of() { [[ $1 = contact/* ]] && echo "$1.svg" || echo "gallery/${1//\//_}.png"; }  # in docs/images

draw() {
  local world=$1 flags
  flags=$(flags_of "$world")
  if [[ $world = contact/* ]]; then
    "$abut" contact "$world" --quiet --picture "$pictures/$(picture_of "$world")"
  else
    [[ $flags = *--time* ]] || flags+=" --time 0"
    # shellcheck disable=SC2086
    "$abut" render "$world" $flags --size 360x240 --theme light --quiet --out "$pictures/$(picture_of "$world")"
  fi
}

section() {
  local world line flags command picture
  printf '\n## %s\n\n| | |\n| --- | --- |\n' "$1"
  while IFS=$'\t' read -r world line; do
    flags=$(flags_of "$world" | sed 's/ *--time [0-9.]*//; s/ *--show [a-z,]*//')
    if [[ $world = contact/* ]]; then command="abut contact $world"; else command="abut view $world${flags:+ $flags}"; fi
    [ -e "$pictures/$(picture_of "$world")" ] && picture="![$world](images/$(picture_of "$world"))" || picture="not drawn"
    printf '| %s | **%s**. %s.<br/>`%s` |\n' "$picture" "$world" "$line" "$command"
  done
}

worlds=$("$abut" worlds | sed -E 's/ +/\t/')
[ "${1:-}" = none ] || for world in ${*:-$(cut -f1 <<< "$worlds")}; do draw "$world"; done
{
  cat <<'TOP'
# Gallery: every world that comes with abut

`docs/gallery.sh build/release/abut` draws the pictures and writes this page anew. Each command works where you are: worlds have names.
Arrows are forces of contact; most worlds are shown at their start.
TOP
  awk -F'\t' '$1 !~ /[/]/' <<< "$worlds" | section "Scenes and robots"
  for part in meshes:"Shapes that are not convex" peg:"Polygonally exact contact" multipoint:"Forces at many points" penalty:"Springs" haptic:"For the hand" contact:"Pairs of solids"; do
    grep "^${part%%:*}/" <<< "$worlds" | section "${part#*:}"
  done
} > docs/gallery.md
