#!/bin/bash
# Every command in README.md and docs/ works (commands.awk finds them), in the scratch folder, with
# runs and films cut short:
#   commands_test.sh ABUT [PAGE..]
set -eu
. tests/build/support.sh
tool=$(realpath "$1") && shift
[ $# -gt 0 ] || set -- README.md CONTRIBUTING.md docs/*.md docs/*/*.md
root=$PWD

# `abut` as the pages call it, cut short: this tests the command, not what the world does
mkdir -p "$scratch/bin"
sed -e "s|@tool@|$tool|" > "$scratch/bin/abut" <<'ABUT'
#!/bin/bash
tool=@tool@
args=() && given=" $* "
for ((i = 1; i <= $#; ++i)); do
  case ${!i} in
    --time | --at | --size) [[ $1 =~ ^(run|compare|render)$ ]] && ((++i)) || args+=("${!i}") ;;
    *) args+=("${!i}") ;;
  esac
done
case $1 in
  run | compare) exec "$tool" "${args[@]}" --time 0.02 ;;
  render)
    command -v "${ABUT_CHROMIUM:-chromium}" > /dev/null || exit 0
    args+=(--size 64x48)
    [[ $given = *.h5* ]] || args+=(--time 0.02)
    exec "$tool" "${args[@]}" ;;
  reproduce)  # minutes; the ids must be there
    [[ $given =~ \ --(help|list|claims|papers)\  ]] && exec "$tool" "$@"
    for id in "${@:2}"; do
      [[ $id = -* ]] && break
      "$tool" reproduce --list | grep -q "^ *$id\b" || [[ $id =~ ^(00[0-4]|laws)$ ]] || exit 2
    done ;;
  view)  # until it says where to look
    coproc "$tool" "$@" --quiet
    read -r -t 20 address <&"${COPROC[0]}" || exit 2
    kill -INT "$COPROC_PID"
    [[ $address = http://* ]] ;;
  solve) "$tool" "$@" || [ $? -eq 1 ] ;;  # 1: a problem without a solution, which pages show too
  *) exec "$tool" "$@" ;;
esac
ABUT
chmod +x "$scratch/bin/abut"
export PATH=$scratch/bin:$PATH

flags_exist() {
  local command=$2 word help
  help=$("$tool" "$command" --help 2>&1) || { fail "$1: abut has no command $command"; return; }
  for word in "${@:3}"; do
    case $word in
      --*) grep -q -e "^  \(-.,\)\?${word%%=*}\b" <<< "$help" || fail "$1: abut $command has no $word" ;;
      '|' | '&&') return ;;
    esac
  done
}

# make, compilers and package managers have tests of their own
run() {
  local where=$1 line=$2 target
  case $line in
    make\ *)
      for target in $(grep -o '^make [a-z-]*' <<< "$line" | cut -d' ' -f2); do
        grep -q "^$target:" "$root/Makefile" || fail "$where: make has no target $target"
      done
      [[ $line != *"&& abut "* ]] || run "$where" "${line#*&& }" ;;
    abut\ * | printf\ * | echo\ *)
      (cd "$folder" && timeout 60 bash -c "$line" > "$scratch/out" 2>&1 < /dev/null) ||
        fail "$where: $line: $(tail -n 3 "$scratch/out")" ;;
  esac
}

commands=0 page=
while IFS=$'\t' read -r where kind line; do
  if [ "$page" != "${where%%:*}" ]; then
    page=${where%%:*} folder=$scratch/$(tr / _ <<< "${where%%:*}")
    mkdir -p "$folder/docs" && ln -s "$root/worlds" "$root/tests" "$folder" && ln -s "$root/docs/images" "$folder/docs/"
  fi
  commands=$((commands + 1))
  case $kind in
    file) (cd "$folder" && printf "$(sed 's/%/%%/g' <<< "$line")\n" | bash) ;;
    flags) set -f && case $line in abut\ *) flags_exist "$where" ${line#abut } ;; esac; set +f ;;
    run) run "$where" "$line" ;;
  esac
done < <(awk -f tests/build/commands.awk "$@")
[ "$commands" -gt 0 ] || fail "no commands were found"
echo "$commands commands"
finish
