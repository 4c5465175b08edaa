#!/usr/bin/env bash
# docs/functions.md and docs/functions/ are what scripts/functions makes of the headers, no public name
# is without a docstring, no entry is in a page twice, and no link from page to page is broken.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command -v python3 >/dev/null || { echo "skipped: python3 was not found"; exit 77; }
python3 "$root/scripts/functions" --check
repeated=$(grep -H '^## ' "$root"/docs/functions.md "$root"/docs/functions/*.md | sort | uniq -d)
[ -z "$repeated" ] || { echo "expected each heading once, got twice: $repeated"; exit 1; }
"$root/scripts/html_docs" --check
