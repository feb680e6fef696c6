# Sorts C++ sources into groups that can be compiled as one. A name that a source defines in an unnamed
# namespace (or as a macro) is in no other source of its group: neither defined, nor used for something
# else, such as a function of a header. A source that gives a name of a header to something of the same
# kind is alone: another source of its group may include the header.
#
#   awk -v most=BYTES -f groups.awk pool=HEADERS header.. pool=NAME source.. pool=OTHER source..
#
# prints a line "GROUP SOURCE" for each source: NAME_1, NAME_2 .. of its pool, or "alone". It reads code as
# clang-format leaves it: what a namespace holds begins in the first column. A name that it does not see is
# an error of the compiler ("redefinition"); choose another name then.

# The name that a line of a namespace defines; a function's ends in "(".
function defined(line,    call) {
  if (line ~ /^[ }\/{):]/ || line ~ /^(using namespace|namespace|template|public|private|TEST|INSTANTIATE|RC_GTEST)/) return ""
  sub(/^(static|inline|extern|constexpr|const|\[\[[a-z_]*\]\]) */, "", line)
  sub(/^(static|inline|constexpr|const) */, "", line)
  if (match(line, /^using [A-Za-z_0-9]+ =/)) return substr(line, 7, RLENGTH - 8)
  if (match(line, /^(struct|class|union|enum class|enum|typedef) /)) {
    line = substr(line, RLENGTH + 1)
    sub(/^alignas\([^)]*\) /, "", line)
    return match(line, /^[A-Za-z_0-9]+/) ? substr(line, 1, RLENGTH) : ""
  }
  # a function or a variable: the word before the first of ( = { ; [
  gsub(/__attribute__ *\(\([^)]*\)*/, "", line)
  if (!match(line, /[A-Za-z_0-9]+ *[(={;\[]/)) return ""
  line = substr(line, RSTART, RLENGTH)
  call = line ~ /\($/ ? "(" : ""
  sub(/ *[(={;\[]$/, "", line)
  return line call
}

# dot(const double* a, int n) -> "dot(const double*,int,": the same for all who call with the same.
function signature(name, line,    parts, i, n, all) {
  if (name !~ /\($/) return name
  sub(/^[^(]*\(/, "", line)
  sub(/\)[^)]*$/, "", line)
  n = split(line, parts, ",")
  for (i = 1; i <= n; ++i) {
    sub(/ = .*/, "", parts[i])
    sub(/[A-Za-z_0-9]+ *$/, "", parts[i])
    gsub(/ /, "", parts[i])
    all = all parts[i] ","
  }
  return name all
}

# Notes the words of a line, and the calls among them ("name("); not members, nor what is qualified.
function note_words(line,    before, word) {
  sub(/\/\/.*/, "", line)
  gsub(/"([^"\\]|\\.)*"/, "\"\"", line)
  while (match(line, /[A-Za-z_][A-Za-z_0-9]*\(?/)) {
    before = RSTART > 1 ? substr(line, RSTART - 1, 1) : " "
    word = substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
    if (before ~ /[.>:]/ || ((source, word) in used)) continue
    used[source, word] = 1
    words[++word_count] = word
    if (word ~ /\($/) {
      sub(/\($/, "", word)
      if (!((source, word) in used)) { used[source, word] = 1; words[++word_count] = word }
    }
  }
}

function fits_in(g,    i) {
  if (size[pool, g] + bytes > most) return 0
  for (i = 1; i <= count; ++i) {
    # an alias may be there twice, if both are of the same type
    if ((pool, g, names[i]) in defines) {
      if (alias[source, names[i]] == "" || defines[pool, g, names[i]] != alias[source, names[i]]) return 0
    } else if ((pool, g, names[i]) in uses) return 0
  }
  for (i = 1; i <= word_count; ++i)
    if ((pool, g, words[i]) in defines && !((source, words[i]) in own)) return 0
  return 1
}

function finish_source(    g, i) {
  if (source == "" || pool == "HEADERS") return
  if (clashes) { print "alone", source; return }
  for (g = 1; g <= groups[pool]; ++g) if (fits_in(g)) break
  if (g > groups[pool]) groups[pool] = g
  size[pool, g] += bytes
  for (i = 1; i <= count; ++i) defines[pool, g, names[i]] = alias[source, names[i]]
  for (i = 1; i <= word_count; ++i) uses[pool, g, words[i]] = 1
  print pool "_" g, source
}

# (what is given as pool=NAME counts from the next source on)
FNR == 1 {
  new_pool = pool
  pool = old_pool
  finish_source()
  pool = old_pool = new_pool
  source = FILENAME
  count = word_count = bytes = unnamed = flat = clashes = 0
}
{ bytes += length($0) + 1 }
/^namespace abut \{/ { flat = 1 }
pool == "HEADERS" {
  if (flat && /^[A-Za-z\[]/ && (name = defined($0)) != "") in_header[signature(name, $0)] = 1
  next
}
/^namespace \{/ { unnamed = 1; next }
/^}  \/\/ namespace$/ { unnamed = 0; next }
/^#define / { split($2, parts, "("); names[++count] = parts[1]; own[source, parts[1]] = 1; next }
/^ *(\/\/|#)/ { next }
{ note_words($0) }
unnamed && /^[^ ]/ {
  if ((name = defined($0)) == "" || (source, name) in own) next
  names[++count] = name
  own[source, name] = 1
  if (flat && signature(name, $0) in in_header) clashes = 1
  if (/^using /) alias[source, name] = $0
}
END { finish_source() }
