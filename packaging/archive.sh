#!/bin/sh
# usage: packaging/archive.sh PROGRAM TARGET FOLDER
# Makes FOLDER/git-tcr-VERSION-TARGET.tar.gz and adds its checksum to FOLDER/SHA256SUMS.
set -eu
program=$1
target=$2
folder=$3
here=$(dirname "$0")
version=$("$program" --version | cut -d' ' -f2)
name=git-tcr-$version-$target
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
"$here/stage.sh" "$program" "$stage/$name"
mkdir -p "$folder"
tar -C "$stage" -czf "$folder/$name.tar.gz" "$name"
"$here/checksum.sh" "$folder" "$name.tar.gz"
