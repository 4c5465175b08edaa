#!/usr/bin/env bash
# docs/functions.md is what scripts/functions makes of the headers, no public name is without a
# docstring, no section is there twice, and no link from page to page is broken.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v python3 >/dev/null || { echo "skipped: python3 was not found"; exit 77; }
python3 "$root/scripts/functions" --check
repeated=$(grep '^## ' "$root/docs/functions.md" | sort | uniq -d)
[ -z "$repeated" ] || { echo "functions.md: expected each section once, got twice: $repeated"; exit 1; }
"$root/scripts/html_docs" --check
