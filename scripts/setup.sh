#!/bin/sh
# Make a virtual environment, install pinned requirements and this package into it.
# Usage: setup.sh VENV REQUIREMENTS [PYTHON [WHEEL]]. Uses uv if it is there, else venv and pip.
# PYTHON may be empty; without WHEEL the package is installed from this checkout, editable.
set -eu

venv=$1
requirements=$2
wanted=${3:-}
package=${4:---editable=.}

# A name on PATH may be a shim without an interpreter behind it, and some systems split venv from
# Python, so each candidate is run rather than looked up.
works() {
    if command -v uv >/dev/null 2>&1; then needs="sys"; else needs="sys, venv, ensurepip"; fi
    "$1" -c "import $needs; sys.exit(sys.version_info < (3, 11))" >/dev/null 2>&1
}

find_python() {
    for candidate in ${wanted:-python3.13 python3.12 python3.11 python3 python}; do
        if works "$candidate"; then
            echo "$candidate"
            return
        fi
    done
    echo "error: no usable Python: tried ${wanted:-python3.13, python3.12, python3.11, python3, python}." >&2
    echo "Python 3.11 or later with the venv module is needed" \
        "(Debian and Ubuntu: apt install python3-venv)." >&2
    echo "Name one with: make ... PYTHON=/path/to/python" >&2
    return 1
}

python=$(find_python)
echo "Setting up $venv from $requirements with $("$python" -V)" >&2
if command -v uv >/dev/null 2>&1; then
    [ -x "$venv/bin/python" ] || uv venv --quiet --python "$python" "$venv"
    uv pip install --quiet --python "$venv/bin/python" -r "$requirements" "$package"
else
    [ -x "$venv/bin/python" ] || "$python" -m venv "$venv"
    "$venv/bin/python" -m pip install -qq --disable-pip-version-check -r "$requirements" "$package"
fi
