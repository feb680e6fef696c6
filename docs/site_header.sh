#!/bin/sh
# A header for Doxygen: comments // above and beside declarations become Doxygen's; the comment at the
# top of the file describes the file, and its indented lines are code.
exec awk '
  # what Doxygen would take for commands or tags
  function plain(text) {
    gsub(/\\/, "\\\\", text); gsub(/@/, "\\@", text); gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text); gsub(/>/, "\\&gt;", text); gsub(/`/, "\\\\`", text); gsub(/#/, "\\\\#", text)
    return text
  }
  function end_code() { if (code) print "/// @endcode"; code = 0 }
  BEGIN { top = 1; print "/// @file" }
  top && /^\/\/   / { if (!code) print "/// @code{.cpp}"; code = 1; print "///" substr($0, 3); next }
  top && /^\/\// { end_code(); print "///" plain(substr($0, 3)); next }
  top { end_code(); top = 0 }
  /^ *\/\/ / { match($0, /^ *\/\/ /); print substr($0, 1, RLENGTH - 1) "/ " plain(substr($0, RLENGTH + 1)); next }
  match($0, /[;,{}] +\/\/ /) { print substr($0, 1, RSTART) "  ///< " plain(substr($0, RSTART + RLENGTH)); next }
  { print }
' "$1"
