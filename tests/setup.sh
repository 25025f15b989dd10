#!/bin/sh
# Sets up every program that some test needs below one folder, which may be kept from one time to the next, and
# says in FOLDER/environment how to reach them. With that sourced, `cargo test` skips nothing:
#   tests/setup.sh target/programs && . target/programs/environment && cargo test
set -eu
tests=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:?usage: setup.sh FOLDER}"
folder=$(cd "$1" && pwd)
for part in agents runners hook_managers browser; do
  mkdir -p "$folder/$part/bin"
  began=$(date +%s)
  "$tests/$part/setup.sh" "$folder/$part"
  echo "$part: $(($(date +%s) - began)) s"
done
inspector=$folder/inspector
[ -x "$inspector/node_modules/.bin/mcp-inspector" ] ||
  npm install --no-audit --no-fund --loglevel=error --prefix "$inspector" @modelcontextprotocol/inspector
cat > "$folder/environment" <<END
export GIT_TCR_TEST_CLIENTS="$folder/agents/bin"
export PATH="$folder/runners/bin:$folder/hook_managers/bin:$inspector/node_modules/.bin:\$PATH"
export NODE_PATH="$folder/browser/node_modules"
export GIT_TCR_TEST_PROGRAMS=1
END
