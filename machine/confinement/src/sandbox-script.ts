import { guardedGitFiles, guardShell } from "./guarded-git.ts";
import { systemPath } from "./past-session.ts";

/** Directories of `/` that a command sees as they are, but for writing. The others are empty. */
export const systemDirectories = [
  ..."bin boot dev etc gnu lib lib32 lib64 libx32 lost+found nix opt proc run sbin snap sys tmp usr var".split(" "),
];

/**
 * Runs as the first process of the new namespaces, with every capability there and none outside. Arguments: the project,
 * `project` or `nothing` (what may be written), the home directory, the size of /tmp, the command's limits or nothing, and
 * each with their number in front: paths that are visible, that are hidden, git directories to guard, paths to protect; then
 * the words of the command. Any step that fails ends it before the command runs. A mount of another process whose directory is removed meanwhile is gone here too, and nothing is left to
 * protect. /dev/tty is there only where no terminal outside is its meaning: a process without one means the terminal it makes itself. It stays as process 1: a command that is process 1 itself would not be stopped by Ctrl-C.
 */
export const sandboxScript = `set -eu
root=$1 writes=$2 home=$3 size=$4 limits=$5 visible=$6 cwd=$PWD path=$PATH
shift 6
empty=mode=755,size=16m
PATH=${systemPath.join(":")}
fail() { echo "The sandbox could not be made: $1" >&2; exit 125; }
is_gone() { [ ! -e "$1" ] || { command -v mountpoint >/dev/null && ! mountpoint -q "$1"; }; }
inside() { case $2/ in "$1"/*) return 0;; esac; return 1; }
mount --rbind "$root" "$root" || fail "$root"
if [ -d /sys/fs/cgroup ]; then mount -t tmpfs -o ro tmpfs /sys/fs/cgroup || fail /sys/fs/cgroup; fi
while read -r _ _ _ _ at options _; do
  case $at in *\\\\*) at=$(printf %b "$at");; esac
  case $at in /proc|/proc/*|/dev|/dev/*|/sys/fs/cgroup|/sys/fs/cgroup/*) continue;; esac
  if [ "$writes" = project ] && inside "$root" "$at"; then continue; fi
  case ,$options, in *,ro,*) continue;; esac
  mount -o "remount,bind,$options,ro" "$at" 2>/dev/null || mount -t tmpfs -o ro tmpfs "$at" 2>/dev/null || is_gone "$at" || fail "$at"
done </proc/self/mountinfo
return_to() {
  if [ "$1" = "$2" ] || ! inside "$1" "$2"; then return; fi
  below=./\${2#"$1"/}
  if [ -d "$below" ]; then mkdir -p "$2"; elif [ -e "$below" ]; then mkdir -p "\${2%/*}"; : >"$2"; else return 0; fi
  mount -c --rbind "$below" "$2" || fail "$2"
}
cover() {
  if [ ! -d "$1" ] || [ -L "$1" ] || inside "$root" "$1"; then return; fi
  at=$1 options=$2
  shift 2
  cd "$at"
  mount -t tmpfs -o "$options" tmpfs "$at" || fail "$at"
  left=$visible
  for one in "$@"; do
    if [ "$left" -eq 0 ]; then break; fi
    left=$((left - 1))
    if ! inside "$root" "$one" && ! inside "$one" "$at"; then return_to "$at" "$one"; fi
  done
  return_to "$at" "$root"
  if [ "$options" = "$empty" ]; then mount -o "remount,bind,ro" "$at" || fail "$at"; fi
}
seen() {
  left=$visible
  one=$1
  shift
  for other in "$@"; do
    if [ "$left" -eq 0 ]; then break; fi
    left=$((left - 1))
    if inside "$other" "$one"; then return 0; fi
  done
  return 1
}
for top in /*; do
  case $top in ${systemDirectories.map((name) => `/${name}`).join("|")}) continue;; esac
  if [ "$top" = "$root" ] || seen "$top" "$@"; then continue; fi
  cover "$top" "$empty" "$@"
done
cover /tmp "mode=1777,size=$size" "$@"
cover /var/tmp "mode=1777,size=$size" "$@"
case $home in /*/*)
  case $home in /home/*|/root|/root/*) ;; *) if ! seen "$home" "$@"; then cover "$home" "$empty" "$@"; fi;; esac;;
esac
for secret in .ssh .gnupg .aws .kube; do
  if [ -d "$home/$secret" ] && ! inside "$home/$secret" "$root"; then
    mount -t tmpfs -o ro tmpfs "$home/$secret" || fail "$home/$secret"
  fi
done
while [ "$visible" -gt 0 ]; do shift; visible=$((visible - 1)); done
if [ -d /run ] && ! inside /run "$root"; then
  cd /run
  mount -t tmpfs -o mode=755,size=16m tmpfs /run || fail /run
  for kept in current-system systemd/resolve; do
    if [ -d "./$kept" ]; then mkdir -p "/run/$kept"; mount -c --rbind "./$kept" "/run/$kept" || fail "/run/$kept"; fi
  done
fi
cd /dev
mount -t tmpfs -o mode=755,size=16m tmpfs /dev || fail /dev
devices="null zero full random urandom"
if ! (: <./tty) 2>/dev/null; then devices="$devices tty"; fi
for device in $devices; do
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
: >/dev/nothing
chmod 444 /dev/nothing
hidden=$1
shift
while [ "$hidden" -gt 0 ]; do
  if [ -f "$1" ] && [ ! -L "$1" ]; then
    mount --bind /dev/nothing "$1" && mount -o remount,bind,ro "$1" || fail "$1"
  fi
  shift
  hidden=$((hidden - 1))
done
${guardShell}
protect() {
  if [ ! -e "$1" ] || [ -L "$1" ]; then return 0; fi
  mount --bind "$1" "$1" && mount -o remount,bind,ro "$1" || fail "$1"
}
guarded=$1
shift
while [ "$guarded" -gt 0 ]; do
  prepare_git "$1"
  mount --bind "$1" "$1" || fail "$1"
  for name in ${guardedGitFiles.join(" ")}; do
    if [ -L "$1/$name" ]; then mount -o remount,bind,ro "$1" || fail "$1"; break; fi
    protect "$1/$name"
  done
  shift
  guarded=$((guarded - 1))
done
protected=$1
shift
while [ "$protected" -gt 0 ]; do
  protect "$1"
  shift
  protected=$((protected - 1))
done
mount -t proc -o ro proc /proc || fail /proc
cd "$cwd" 2>/dev/null || fail "$cwd cannot be seen from here"
set +e
setpriv=$(command -v setpriv) || fail setpriv
PATH=$path
"$setpriv" --ambient-caps=-all --inh-caps=-all --bounding-set=-all --no-new-privs -- $limits "$@" 9<&-
code=$?
PATH=${systemPath.join(":")}
if [ -n "$held" ]; then
  kill -KILL -1 2>/dev/null
  umount -l "$held" 2>/dev/null
  umount -l "\${held%/*}" 2>/dev/null
  release_git
fi
exit $code
`;
