#!/bin/sh
# usage: packaging/debian.sh PROGRAM FOLDER
# Makes FOLDER/git-tcr_VERSION_ARCH.deb and adds its checksum to FOLDER/SHA256SUMS.
set -eu
program=$1
folder=$2
here=$(dirname "$0")
version=$("$program" --version | cut -d' ' -f2)
architecture=$(dpkg --print-architecture)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
chmod 755 "$stage"
"$here/stage.sh" "$program" "$stage/usr"
find "$stage/usr/share/man" -name '*.1' -exec gzip -9n {} +
# Where Debian looks for completions of zsh.
mkdir -p "$stage/usr/share/zsh/vendor-completions"
mv "$stage/usr/share/zsh/site-functions/_git-tcr" "$stage/usr/share/zsh/vendor-completions/"
rmdir "$stage/usr/share/zsh/site-functions"
(cd "$stage/usr/share/doc/git-tcr" && cat LICENSE LICENSE-MIT LICENSE-APACHE >copyright &&
  rm LICENSE LICENSE-MIT LICENSE-APACHE && mv CHANGELOG.md changelog && gzip -9n changelog)
mkdir "$stage/DEBIAN"
cat >"$stage/DEBIAN/control" <<CONTROL
Package: git-tcr
Version: $version
Architecture: $architecture
Section: vcs
Priority: optional
Depends: git (>= 1:2.30), libc6
Installed-Size: $(du -sk "$stage/usr" | cut -f1)
Maintainer: the git tcr authors <git-tcr@localhost>
Description: test-driven development, enforced inside git
 Keeps coding agents and people honest about test-driven development: a
 failing test comes first; after each change the tests run, green is
 committed, red is reverted, on a branch of its own. Nothing is ever lost.
CONTROL
(cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
mkdir -p "$folder"
file=git-tcr_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$stage" "$folder/$file" >/dev/null
"$here/checksum.sh" "$folder" "$file"
echo "$folder/$file"
