#!/bin/sh
# usage: packaging/checksum.sh FOLDER FILE
# Writes the checksum of a file in FOLDER into FOLDER/SHA256SUMS, instead of an earlier one.
set -eu
cd "$1"
touch SHA256SUMS
grep -v "  $2\$" SHA256SUMS >SHA256SUMS.new || true
if command -v sha256sum >/dev/null; then
  sha256sum "$2" >>SHA256SUMS.new
else
  shasum -a 256 "$2" >>SHA256SUMS.new
fi
mv SHA256SUMS.new SHA256SUMS
