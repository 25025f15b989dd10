#!/bin/sh
# Installs coding agents into a folder, for `tests/setup.sh`: each by its own name into FOLDER/bin.
# Whatever can't be had is an error: a test that was not run has not passed.
set -eu
folder=${1:?usage: setup.sh FOLDER [CLIENT...]}
shift
[ $# -gt 0 ] || set -- opencode claude-code codex gemini copilot qwen-code pi
mkdir -p "$folder/bin"
folder=$(cd "$folder" && pwd)

package_of() {
  case $1 in
    opencode) echo opencode-ai@1.18.33 ;;
    claude-code) echo @anthropic-ai/claude-code@2.1.325 ;;
    codex) echo @openai/codex@0.166.0 ;;
    gemini) echo @google/gemini-cli@0.61.0 ;;
    copilot) echo @github/copilot@1.0.102 ;;
    qwen-code) echo @qwen-code/qwen-code@0.24.4 ;;
    pi) echo @mariozechner/pi-coding-agent@0.73.1 ;;
    *) echo "setup.sh: no client \`$1\`" >&2; exit 2 ;;
  esac
}

for client in "$@"; do
  package=$(package_of "$client")
  home=$folder/$client
  if [ "$(cat "$home/installed" 2>/dev/null)" != "$package" ]; then
    rm -rf "$home"
    mkdir -p "$home"
    npm install --prefix "$home" --no-audit --no-fund --loglevel=error "$package"
    echo "$package" > "$home/installed"
  fi
  case $client in
    claude-code) program=claude ;;
    qwen-code) program=qwen ;;
    *) program=$client ;;
  esac
  ln -sf "$home/node_modules/.bin/$program" "$folder/bin/$program"
done

if ! command -v pytest > /dev/null && [ ! -x "$folder/python/bin/pytest" ]; then
  python3 -m venv "$folder/python"
  "$folder/python/bin/pip" -q install pytest
fi
[ ! -x "$folder/python/bin/pytest" ] || ln -sf "$folder/python/bin/pytest" "$folder/bin/pytest"
