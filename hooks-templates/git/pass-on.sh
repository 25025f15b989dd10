#!/bin/sh
# git-tcr: put here by `git tcr install`, taken away by `git tcr uninstall`; edits are undone.
# Git looks for hooks here; this one is for the hook where it looked before.
before=@BEFORE@
[ -x "$before" ] || exit 0
exec "$before" "$@"
