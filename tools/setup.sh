#!/bin/sh
# Makes .venv with the pinned dependencies and the command `tavolo`. Does nothing where that is done already.
# Needs only Python 3.11 or newer with venv. Says in one sentence what is missing.
set -eu
cd "$(dirname "$0")/.."
stamp=.venv/.ready
want=$(cat requirements.lock pyproject.toml | cksum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$want" ] && .venv/bin/python -c 'import table_service' 2>/dev/null; then
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

echo "tavolo: setting up .venv with $("$python" --version) (about a minute, once)"
rm -f "$stamp"
[ -x .venv/bin/python ] && .venv/bin/python -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || {
    rm -rf .venv
    "$python" -m venv .venv
}
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --require-hashes --no-deps -r requirements.lock || {
    echo "tavolo: the pinned dependencies could not be installed; is a package index reachable?" >&2
    exit 1
}
.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input --no-deps --no-build-isolation --no-index -e . || {
    echo "tavolo: the project itself could not be installed into .venv (see above)." >&2
    exit 1
}
echo "$want" > "$stamp"
