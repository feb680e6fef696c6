# The examples of public headers and of docs/api.md as one source: each a function of its own, in a
# namespace of its own, after tests/build/examples_given.h has declared what they take as given.
#
#   awk -f examples.awk abut/x.h .. docs/api.md
#
# An example of a header is a run of lines "//   code" above `#pragma once` that has abut:: in it; one
# of a page is a block ```cpp. What begins with a function or has a main is code outside of functions.
# An ellipsis stands for whatever the reader has there.

function whatever(line) {
  gsub(/for \(\.\.\.?\)/, "for (;;)", line)
  gsub(/= \.\.\.;/, "= anything();", line)
  gsub(/\{ \.\.\. \}/, "{ }", line)
  if (line ~ /^ *\.\.\./) return ""
  # to the end of the line, or to its comment
  sub(/ \.\.\.?( *\/\/.*)?$/, " ;", line)
  return line
}

function flush(    i, outside) {
  if (count > 0 && (page || speaks)) {
    outside = text[1] ~ /^(int|void|std::unique_ptr<.*) *[a-z_]*\(.*\{/ || text[1] ~ /^\/\/ mine.cpp/
    for (i = 1; i <= count; ++i) if (text[i] ~ /^int main\(/) outside = 1
    ++examples
    for (i = 1; i <= count; ++i) if (text[i] ~ /^#include/) { print text[i]; text[i] = "" }
    printf "namespace given { namespace example_%d {\nusing namespace abut;\n", examples
    if (FILENAME_OF ~ /view\//) print "using namespace abut::view;"
    if (!outside) print "[[maybe_unused]] void example() {"
    printf "#line %d \"%s\"\n", first, FILENAME_OF
    for (i = 1; i <= count; ++i) print whatever(text[i])
    print (outside ? "}}" : "}}}")
  }
  count = speaks = 0
}

function take(line) {
  if (count == 0) { first = FNR; FILENAME_OF = FILENAME }
  text[++count] = line
  if (line ~ /abut::/) speaks = 1
}

BEGIN { print "#include \"tests/build/examples_given.h\"" }
FNR == 1 { flush(); page = FILENAME ~ /\.md$/; over = inside = 0 }
page {
  if (/^```cpp/) inside = 1
  else if (/^```/) { inside = 0; flush() }
  else if (inside) take($0)
  next
}
/^#pragma once/ { flush(); over = 1 }
over { next }
/^\/\/   / { take(substr($0, 6)); next }
{ flush() }
END { flush() }
