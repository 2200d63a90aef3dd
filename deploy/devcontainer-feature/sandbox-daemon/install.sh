#!/bin/sh
# Puts the executable of a release on this machine, its checksum checked. In a container of development also the script that
# starts it. VERSION, SOURCE and START are the options of the feature; PREFIX is where it goes.
set -eu

version="${VERSION:-0.1.0}"
source="${SOURCE:-}"
prefix="${PREFIX:-/usr/local}"

say() { echo "sandbox-daemon: $*" >&2; }
if [ -z "$source" ]; then
  say "say with the option source where releases lie: an address or a folder with v$version below it"
  exit 1
fi

case "$(uname -s)" in
  Linux) system=linux ;;
  Darwin) system=darwin ;;
  *) say "there is no release for $(uname -s)"; exit 1 ;;
esac
case "$(uname -m)" in
  x86_64) machine=x64 ;;
  aarch64 | arm64) machine=arm64 ;;
  *) say "there is no release for $(uname -m)"; exit 1 ;;
esac
file="sandbox-daemon-$system-$machine"
if ls /lib/ld-musl-* >/dev/null 2>&1; then file="$file-musl"; fi

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
fetch() {
  case "$source" in
    /*) cp "$source/v$version/$1" "$folder/$1" ;;
    *)
      if command -v curl >/dev/null 2>&1; then curl -fsSL "$source/v$version/$1" -o "$folder/$1"
      elif command -v wget >/dev/null 2>&1; then wget -qO "$folder/$1" "$source/v$version/$1"
      else say "neither curl nor wget is here"; exit 1; fi
      ;;
  esac
}
fetch SHA256SUMS
fetch "$file"
if command -v sha256sum >/dev/null 2>&1; then sum="$(sha256sum "$folder/$file")"; else sum="$(shasum -a 256 "$folder/$file")"; fi
if ! grep -q "^${sum%% *} [ *]$file\$" "$folder/SHA256SUMS"; then
  say "$file is not what its release says"
  exit 1
fi
mkdir -p "$prefix/bin"
install -m 0755 "$folder/$file" "$prefix/bin/sandbox-daemon"

# Set by what builds a container of development, and by nobody else.
if [ -z "${_REMOTE_USER:-}" ]; then exit 0; fi
mkdir -p "$prefix/share/sandbox-daemon" /var/lib/sandbox-daemon
chown "$_REMOTE_USER" /var/lib/sandbox-daemon
chmod 0700 /var/lib/sandbox-daemon
cat > "$prefix/share/sandbox-daemon/start.sh" <<SCRIPT
#!/bin/sh
# The entrypoint of the feature: starts the daemon where that was asked for, then what the container is for.
if [ "${START:-false}" = true ]; then
  sandbox-daemon serve --host 127.0.0.1 >>/tmp/sandbox-daemon.log 2>&1 &
fi
exec "\$@"
SCRIPT
chmod 0755 "$prefix/share/sandbox-daemon/start.sh"
