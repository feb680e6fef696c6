#!/bin/bash
# A sweep of RUNS runs (default 1000) under local threads, MPI, Slurm and Dask: one table. Then each is
# killed in the middle and resumed.
#   engines_test.sh BUILD [RUNS]
set -eu
. tests/build/support.sh
build=$(realpath "$1") runs=${2:-1000} root=$PWD
export PYTHONPATH=$build/python PYTHONDONTWRITEBYTECODE=1 PATH=$build:/usr/bin:/bin:/usr/sbin
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
cd "$scratch"
cp "$root/worlds/pendulum.xml" .
cat > swing.toml <<TOML
world = "pendulum.xml"
runs = $((runs / 2))
seed = 11
set.time = 2
measure = ["energy.kinetic", "energy_drift", "q"]
[grid]
step = [0.001, 0.002]
[random]
q = {uniform = [-3, 3]}
v = {normal = [0, 2]}
TOML
hash_of() { sed -n 's/.*"hash": "\([0-9a-f]*\)".*/\1/p' "$1"; }
ran=0
engine() { # NAME COMMAND..
  local name=$1
  shift
  "$@" --out "$name" --json > "$name.json" 2> "$name.err" || { fail "$name: $(tail -3 "$name.err")"; return; }
  expect_equal "hash of $name" "$(hash_of local.json)" "$(hash_of "$name.json")"
  cmp -s local/table.csv "$name/table.csv" || fail "$name: the table has other bytes"
  ran=$((ran + 1))
}
engine local abut sweep swing.toml
engine one abut sweep swing.toml --threads 1
if command -v mpirun > /dev/null && [ -x "$build/abut-mpi" ]; then
  engine mpi mpirun -n 3 abut sweep swing.toml --on mpi
  engine mpi-started abut sweep swing.toml --on mpi --workers 2
  # a worker is killed: the job ends, what it made stays
  (mpirun -n 3 abut sweep swing.toml --on mpi --out mpi-cut > /dev/null 2>&1 &
   echo $! > mpirun.pid; wait) &
  sleep 1.2
  worker=$(pgrep -P "$(cat mpirun.pid)" | tail -1) && kill -9 "$worker" 2>/dev/null || true
  wait || true
  engine mpi-cut abut sweep swing.toml --resume
else
  echo "MPI: not here"
fi
if python3=$(command -v /usr/bin/python3) && $python3 -c 'import distributed' 2>/dev/null; then
  engine dask abut sweep swing.toml --on dask --workers 2
else
  echo "Dask: not here"
fi
if started=$("$root/tests/long/slurm_node.sh" start "$scratch/slurm"); then
  export SLURM_CONF=${started#SLURM_CONF=}
  engine slurm abut sweep swing.toml --on slurm --workers 4
  "$root/tests/long/slurm_node.sh" stop "$scratch/slurm"
else
  echo "Slurm: not here: ${started#SKIPPED: }"
  "$root/tests/long/slurm_node.sh" stop "$scratch/slurm"
fi
# the whole job is killed, twice
for wait in 0.3 0.6; do
  (exec abut sweep swing.toml --out cut --resume --quiet) &
  sleep $wait
  kill -9 $! 2>/dev/null || true
  wait $! 2>/dev/null || true
done
engine cut abut sweep swing.toml --resume
twice=$(cat cut/parts/*.rows | grep -v '^abut' | cut -d' ' -f2 | cut -d, -f1 | sort | uniq -d | wc -l)
[ "$twice" -le 6 ] || fail "$twice runs were made twice" # those that the kills cut off in their journals
echo "$ran engines and cuts, $runs runs each, hash $(hash_of local.json)"
finish
