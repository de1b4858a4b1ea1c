#!/bin/sh
# Runs a TypeScript file of this repository with what it needs: the packages that package-lock.json
# names, and the pinned Node. A fresh clone installs itself here. Installing talks on stderr only,
# so that the output of the file stays clean.
set -eu
cd "$(dirname "$0")/.."

stamp=node_modules/.cache/purlin/setup.stamp
wanted="$(uname -sm) $(cat package-lock.json .npmrc package.json */package.json packages/*/package.json apps/*/package.json | cksum)"

npm_ci() {
  # The npm that called us, if one did: PATH may hold another, or none.
  if [ -n "${npm_execpath:-}" ]; then set -- "$npm_node_execpath" "$npm_execpath"; else set -- npm; fi
  "$@" ci --include=dev --include=optional --loglevel=error
}

if [ "$(cat "$stamp" 2>/dev/null || true)" != "$wanted" ]; then
  echo 'Installing packages (npm ci) …' >&2
  # No stamp while it runs: an install that fails or is interrupted is done again next time.
  rm -f "$stamp"
  npm_ci >&2
  mkdir -p "${stamp%/*}"
  echo "$wanted" >"$stamp"
fi

PATH="$PWD/node_modules/.bin:$PATH"
export PATH

# Platforms without a pinned Node use their own.
if [ ! -x node_modules/.bin/node ] && ! node -e 'process.exit(parseInt(process.versions.node) < 24)'; then
  echo "Purlin needs Node 24 or newer here; this is $(node --version 2>/dev/null || echo 'no Node at all')." >&2
  exit 1
fi
exec node "$@"
