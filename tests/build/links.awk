# Links of HTML pages: page, a tab, target; and of places that links may lead to: a tab first.
#
#   awk -f links.awk FOLDER/*.html
FNR == 1 { page = FILENAME; sub(/.*\//, "", page); print "\t" page }
{
  line = $0
  while (match(line, /(href|src|id|name)="[^"]*"/)) {
    word = substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
    split(word, parts, "\"")
    if (word ~ /^(id|name)/) print "\t" page "#" parts[2]
    else if (parts[2] !~ /^([a-z]+:|\/\/)/ && parts[2] != "" && parts[2] !~ /^#(nested-classes)?$/) print page "\t" parts[2]
  }
}
