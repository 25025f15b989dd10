#!/bin/sh
# Installs hook managers into a folder, for `tests/setup.sh`: each by its own name into
# FOLDER/bin. Whatever can't be had is an error: a test that was not run has not passed.
set -eu
folder=${1:?usage: setup.sh FOLDER}
mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd)
# lefthook would put its hooks into the repository around.
CI=true npm install --prefix "$folder" --no-audit --no-fund --loglevel=error husky@9.1.7 lefthook@2.2.2
[ -x "$folder/python/bin/python" ] || python3 -m venv "$folder/python"
"$folder/python/bin/pip" -q install pre-commit==4.7.0 prek==0.5.10
for program in husky lefthook; do ln -sf "$folder/node_modules/.bin/$program" "$folder/bin/$program"; done
for program in pre-commit prek; do ln -sf "$folder/python/bin/$program" "$folder/bin/$program"; done
