#!/bin/sh
# Build the page of the viewer and put it where the package ships it. Needs Node; installing and
# using the package does not. Run it with --check to compare only, as CI does.
set -eu
cd "$(dirname "$0")/../viewer"
page=../src/socialcircuits/viewer/page.html
most=153600

npm ci --no-audit --no-fund --silent
npx biome check .
npm run --silent build
size=$(wc -c < dist/index.html)
if [ "$size" -gt "$most" ]; then
    echo "the built page has $size bytes; at most $most are allowed" >&2
    exit 1
fi
if [ "${1:-}" = "--check" ]; then
    cmp dist/index.html "$page"
else
    cp dist/index.html "$page"
fi
