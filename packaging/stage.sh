#!/bin/sh
# usage: packaging/stage.sh PROGRAM FOLDER
# Lays out what a package holds below FOLDER: the program, manual pages, completions, documentation.
set -eu
program=$1
folder=$2
here=$(dirname "$0")/..
mkdir -p "$folder/bin" "$folder/share/doc/git-tcr" "$folder/share/git-tcr"
install -m 755 "$program" "$folder/bin/git-tcr"
"$program" man --install --dir "$folder/share/man" >/dev/null
completions() {
  mkdir -p "$folder/share/$2"
  "$program" completions "$1" >"$folder/share/$2/$3"
}
completions bash bash-completion/completions git-tcr
completions zsh zsh/site-functions _git-tcr
completions fish fish/vendor_completions.d git-tcr.fish
completions elvish elvish/lib git-tcr.elv
completions powershell git-tcr git-tcr.ps1
cp "$here/README.md" "$here/CHANGELOG.md" "$here/LICENSE" "$here/LICENSE-MIT" "$here/LICENSE-APACHE" \
  "$folder/share/doc/git-tcr/"
cp "$here"/docs/*.md "$here"/docs/*.svg "$folder/share/doc/git-tcr/"
cp "$here/docs/tcr.schema.json" "$folder/share/git-tcr/"
