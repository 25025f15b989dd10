#!/bin/sh
# Puts what the browser tests need into a folder: Chromium from the system's packages, and a driver.
set -eu
folder=$1
if ! command -v chromium >/dev/null; then
  apt-get update -q >/dev/null
  DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends chromium >/dev/null
fi
if [ ! -d "$folder/node_modules/playwright-core" ]; then
  mkdir -p "$folder"
  npm install --silent --no-fund --no-audit --prefix "$folder" playwright-core@1
fi
