# What the script tests share: a scratch folder that goes away, and checks that
# count their failures. Source it, then end with `finish`.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  failures=$((failures + 1))
}

# expect_equal WHAT EXPECTED ACTUAL
expect_equal() {
  [ "$2" = "$3" ] || fail "$1
--- expected
$2
--- got
$3"
}

# expect_in WHAT PART TEXT
expect_in() {
  case "$3" in
    *"$2"*) ;;
    *) fail "$1: no '$2' in: $3" ;;
  esac
}

finish() {
  [ "$failures" = 0 ] || exit 1
  exit 0
}
