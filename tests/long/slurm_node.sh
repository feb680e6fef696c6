#!/bin/bash
# A Slurm cluster of this one machine, for a test: munge, slurmctld and slurmd with files in the folder $1.
#   slurm_node.sh start FOLDER   prints SLURM_CONF=..; "SKIPPED: why" and 77 if it cannot start
#   slurm_node.sh stop FOLDER
set -u
action=$1 folder=$2
skip() { echo "SKIPPED: $*"; exit 77; }

if [ "$action" = stop ]; then
  for daemon in slurmd slurmctld munged; do
    [ -f "$folder/$daemon.pid" ] && kill "$(cat "$folder/$daemon.pid")" 2>/dev/null
  done
  exit 0
fi

[ "$(id -u)" = 0 ] || skip "Slurm's daemons want root"
for program in slurmctld slurmd sbatch munged; do
  command -v $program > /dev/null || [ -x /usr/sbin/$program ] || skip "there is no $program (slurm-wlm)"
done
export PATH=$PATH:/usr/sbin
mkdir -p "$folder/state" "$folder/spool" "$folder/log"
chmod 755 "$folder"
# a key and a socket of its own: a munge of the machine is left alone
# munge refuses folders that others may write to, as /tmp, and cannot enter those of root alone: both stand below /run
socket=/run/abut-munge-$$
mkdir -p $socket && chown munge $socket && chmod 755 $socket
dd if=/dev/urandom of=$socket/munge.key bs=1 count=1024 2>/dev/null
chown munge $socket/munge.key && chmod 400 $socket/munge.key
runuser -u munge -- munged --key-file=$socket/munge.key --socket=$socket/munge.socket \
  --pid-file=$socket/munged.pid --seed-file=$socket/seed --log-file=$socket/log --force ||
  skip "munged does not start"
cp $socket/munged.pid "$folder/munged.pid"
host=$(hostname -s)
cat > "$folder/slurm.conf" <<CONF
ClusterName=abut
SlurmctldHost=$host(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket=$socket/munge.socket
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort=17817
SlurmdPort=17818
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES
CONF
export SLURM_CONF=$folder/slurm.conf
slurmctld || skip "slurmctld does not start: $(tail -1 "$folder/log/slurmctld.log")"
slurmd || skip "slurmd does not start: $(tail -1 "$folder/log/slurmd.log")"
for i in $(seq 40); do
  [ "$(sinfo -h -o %T 2>/dev/null | head -1)" = idle ] && break
  sleep 0.5
done
[ "$(sinfo -h -o %T 2>/dev/null | head -1)" = idle ] ||
  skip "the node does not come up: $(tail -2 "$folder/log/slurmd.log" | tr '\n' ' ')"
echo "SLURM_CONF=$folder/slurm.conf"
