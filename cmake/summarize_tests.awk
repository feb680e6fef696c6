# Sums up a JUnit file of ctest: failed tests, skipped tests with their reasons, counts.
#
# A skipped test says why on the line after googletest's "file:line: Skipped", or on
# a line of its own that begins with "SKIPPED: " (the tests that are scripts).

function plain(text) {
  sub(/<\/system-out>.*/, "", text)
  gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text)
  gsub(/&quot;/, "\"", text); gsub(/&apos;/, "'", text)
  gsub(/&amp;/, "\\&", text)
  return text
}

function attribute(name,    from, rest) {
  from = index($0, " " name "=\"")
  if (!from) return ""
  rest = substr($0, from + length(name) + 3)
  return plain(substr(rest, 1, index(rest, "\"") - 1))
}

function settle() {
  if (test == "") return
  if (status == "run") ++passed
  else if (status == "disabled") { reason = "disabled"; is_skipped = 1 }
  if (is_skipped) {
    ++skipped
    if (reason == "") reason = "no reason given"
    if (!(reason in skipped_for)) reasons[++n_reasons] = reason
    skipped_for[reason] = skipped_for[reason] "\n    " test
  } else if (status != "run") {
    ++failed
    failures = failures "\n    " test
  }
  test = ""
}

/<testcase / {
  settle()
  test = attribute("name"); status = attribute("status")
  is_skipped = 0; reason = ""; reason_follows = 0
}
/<skipped / { is_skipped = 1 }
# "not run" for any other cause (a program that is missing) is a failure
/<skipped .*(Unable to find executable|NOT_AVAILABLE|Failed to start)/ { is_skipped = 0 }
reason_follows { reason = plain($0); reason_follows = 0 }
/: Skipped$/ && reason == "" { reason_follows = 1 }
/SKIPPED: / && reason == "" { reason = plain(substr($0, index($0, "SKIPPED: ") + 9)) }

END {
  settle()
  for (i = 1; i <= n_reasons; ++i) print "skipped, " reasons[i] ":" skipped_for[reasons[i]]
  if (failures != "") print "failed:" failures
  printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
}
