#!/usr/bin/env bash
# docs/functions.md is what scripts/functions makes of the headers, and no public name is without a
# docstring.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v python3 >/dev/null || { echo "skipped: python3 was not found"; exit 77; }
python3 "$root/scripts/functions" --check
