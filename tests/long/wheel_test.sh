#!/bin/bash
# The wheel of `make wheel` in a new virtual environment: it is installed, and the six examples run.
#   wheel_test.sh WHEEL-FOLDER
set -eu
. tests/build/support.sh
wheel=$(realpath "$(ls "$1"/abut-*.whl | tail -1)") root=$PWD
# numpy and matplotlib are Debian's: nothing is downloaded
/usr/bin/python3 -m venv --system-site-packages "$scratch/venv"
"$scratch/venv/bin/pip" install --no-index --quiet "$wheel" || fail "pip install"
cd "$scratch"
unset PYTHONPATH
python=$scratch/venv/bin/python
expect_in "where it is" "$scratch/venv" "$("$python" -c 'import abut; print(abut.__file__)')"
for example in first_steps robot_controller compare_models fit_friction sweep own_model; do
  "$python" "$root/examples/python/$example.py" > "$example.log" 2>&1 || fail "$example: $(tail -3 "$example.log")"
done
expect_in "the tool" "abut" "$("$scratch/venv/bin/abut" --version)"
"$scratch/venv/bin/abut" run pendulum --time 0.1 --json | grep -q '"hash"' || fail "the tool finds no world"
# the libraries are those of the wheel
outside=$(ldd "$("$python" -c 'import abut._abut as m; print(m.__file__)')" | grep -v 'linux-vdso\|ld-linux\|abut/libs' |
          awk '{ print $1 }' | grep -v -E '^lib(c|m|dl|rt|pthread|resolv|util|gcc_s|stdc\+\+|crypt)\.so' || true)
expect_equal "libraries from outside the wheel" "" "$outside"
finish
