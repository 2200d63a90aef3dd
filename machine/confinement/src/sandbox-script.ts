import { systemPath } from "./past-session.ts";

/**
 * Runs as the first process of the new namespaces, with every capability there and none outside. Arguments: the project,
 * `project` or `nothing` (what may be written), the home directory, the command. Any step that fails ends it before the
 * command runs. It stays as process 1: a command that is process 1 itself would not be stopped by Ctrl-C.
 */
export const sandboxScript = `set -eu
root=$1 writes=$2 home=$3 text=$4 cwd=$PWD path=$PATH
PATH=${systemPath.join(":")}
fail() { echo "The sandbox could not be made: $1" >&2; exit 125; }
inside() { case $2/ in "$1"/*) return 0;; esac; return 1; }
mount --rbind "$root" "$root" || fail "$root"
if [ -d /sys/fs/cgroup ]; then mount -t tmpfs -o ro tmpfs /sys/fs/cgroup || fail /sys/fs/cgroup; fi
while read -r _ _ _ _ at options _; do
  case $at in *\\\\*) at=$(printf %b "$at");; esac
  case $at in /proc|/proc/*|/dev|/dev/*|/sys/fs/cgroup|/sys/fs/cgroup/*) continue;; esac
  if [ "$writes" = project ] && inside "$root" "$at"; then continue; fi
  case ,$options, in *,ro,*) continue;; esac
  mount -o "remount,bind,$options,ro" "$at" 2>/dev/null || mount -t tmpfs -o ro tmpfs "$at" || fail "$at"
done </proc/self/mountinfo
cover() {
  if [ ! -d "$1" ] || inside "$root" "$1"; then return; fi
  cd "$root"
  mount -t tmpfs -o mode=1777 tmpfs "$1" || fail "$1"
  if inside "$1" "$root"; then mkdir -p "$root"; mount -c --rbind . "$root" || fail "$root"; fi
}
cover /tmp
cover /var/tmp
if [ -d /run ] && ! inside /run "$root"; then
  cd /run
  mount -t tmpfs -o mode=755 tmpfs /run || fail /run
  for kept in current-system systemd/resolve; do
    if [ -d "./$kept" ]; then mkdir -p "/run/$kept"; mount -c --rbind "./$kept" "/run/$kept" || fail "/run/$kept"; fi
  done
fi
for secret in .ssh .gnupg .aws .kube; do
  if [ -d "$home/$secret" ] && ! inside "$home/$secret" "$root"; then
    mount -t tmpfs -o ro tmpfs "$home/$secret" || fail "$home/$secret"
  fi
done
cd /dev
mount -t tmpfs -o mode=755 tmpfs /dev || fail /dev
for device in null zero full random urandom; do
  : >"/dev/$device"
  mount -c --bind "./$device" "/dev/$device" || fail "/dev/$device"
done
mkdir /dev/pts /dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts /dev/pts || fail /dev/pts
ln -s pts/ptmx /dev/ptmx
ln -s /proc/self/fd /dev/fd
ln -s fd/0 /dev/stdin
ln -s fd/1 /dev/stdout
ln -s fd/2 /dev/stderr
mount -t proc -o ro proc /proc || fail /proc
cd "$cwd" 2>/dev/null || cd "$root"
set +e
setpriv=$(command -v setpriv) || fail setpriv
PATH=$path
"$setpriv" --ambient-caps=-all --inh-caps=-all --bounding-set=-all --no-new-privs -- /bin/bash -c "$text"
exit $?
`;
