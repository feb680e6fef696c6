#!/bin/bash
# The documentation site is written without complaint, and no link of it leads nowhere; a link of a
# page to a file of the tree that is not there is found without doxygen, too.
set -eu
. tests/build/support.sh

# Markdown: [text](file#heading), relative to the page
for page in README.md CONTRIBUTING.md CHANGELOG.md docs/*.md docs/*/*.md; do
  folder=$(dirname "$page")
  while read -r target; do
    [ -e "$folder/${target%%#*}" ] || fail "$page: there is no $target"
  done < <(awk '/^```/ { code = !code } !code' "$page" | sed 's/`[^`]*`//g' | grep -o '](\([^)#: ]*\)[^) ]*)' |
             sed 's/^](\(.*\))$/\1/' | grep -v '^[a-z]*:' | sort -u || true)
done

# the gallery has every world
for world in $(find worlds -name '*.xml' -not -path '*/parts/*' -printf '%P\n'); do
  grep -q "[*][*]${world%.xml}[*][*]" docs/gallery.md || fail "docs/gallery.md lacks ${world%.xml}: docs/gallery.sh draws it"
done

# a picture that leads to a film is both on the site
docs/site_page.sh README.md | grep -q '<a href="images/showcase.webm"><img src="images/showcase.png"' ||
  fail "README's film is not on the site"

if command -v doxygen > /dev/null; then
  docs/site.sh "$scratch/site" > /dev/null || fail "the site is not written"
  (cd "$scratch/site" && find . -type f -printf '\t%P\n'; awk -f "$OLDPWD/tests/build/links.awk" "$scratch"/site/*.html) |
    sort -u > "$scratch/links"
  awk -F'\t' '
    $1 == "" { there[$2] = 1; next }
    { target = $2; sub(/^#/, $1 "#", target); gsub(/&amp;/, "\\&", target); sub(/\?.*/, "", target)
      if (!(target in there)) { print $1 " -> " $2; ++lost } }
    END { exit lost > 0 }' "$scratch/links" > "$scratch/lost" ||
    fail "links that lead nowhere: $(head -n 20 "$scratch/lost")"
  grep -q 'https\?://[^"]*\.\(js\|css\)' "$scratch"/site/index.html && fail "the site fetches from the network"
else
  echo "no doxygen here: only the links of the pages were checked"
fi
finish
