#!/bin/sh
# Asks Debian's package manager once, without a question on the terminal, for what this machine lacks of the
# packages named as arguments. Where it may not (no root, no apt, no network) it says so and goes on: the program
# runs without, and names what it left out.
set -u
cd "$(dirname "$0")/.."
mkdir -p .work
missing=
for package in "$@"; do
    # Debian lays PostgreSQL's programs outside every PATH.
    [ "$package" = postgresql ] && ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && continue
    command -v "$package" >/dev/null 2>&1 || [ -x "/usr/sbin/$package" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
asked=.work/apt-asked$(echo "$missing" | tr ' ' '-')
if [ -f "$asked" ]; then
    echo "tavolo: still without$missing (apt was asked before; remove $asked to ask again)"
    exit 0
fi
sudo=
if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then sudo="sudo -n"; else
        echo "tavolo: without$missing: not root, and sudo asks for a password; 'apt-get install$missing' brings them"
        exit 0
    fi
fi
command -v apt-get >/dev/null 2>&1 || { echo "tavolo: without$missing: this system has no apt-get"; exit 0; }
: > "$asked"
echo "tavolo: asking apt for$missing (up to a minute)"
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq >/dev/null 2>&1 </dev/null
# shellcheck disable=SC2086
if $sudo apt-get install -y -qq --no-install-recommends $missing >.work/apt.log 2>&1 </dev/null; then
    rm -f "$asked"
else
    echo "tavolo: apt could not bring$missing (the end of .work/apt.log says why); going on without"
fi
exit 0
