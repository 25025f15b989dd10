#!/bin/sh
# git-tcr: put here by `git tcr install`, taken away by `git tcr uninstall`; edits are undone.
# The hook that was here before comes first: it may still change what is committed.
before=@BEFORE@
if [ -x "$before" ]; then "$before" "$@" || exit; fi
[ "$GIT_TCR" = off ] && exit 0
# Nothing is started on a branch that is none of ours. Where HEAD can't be read, the program looks.
if { read -r head <"${GIT_DIR:-.git}/HEAD"; } 2>/dev/null; then
  case $head in
    "ref: refs/heads/tcr/"*) ;;
    *) exit 0 ;;
  esac
fi
tcr=@PROGRAM@
[ -x "$tcr" ] || tcr=$(command -v git-tcr)
[ -x "$tcr" ] && exec "$tcr" git-hook @NAME@ "$@"
case $(git symbolic-ref -q HEAD) in
  refs/heads/tcr/*) echo "@MISSING@" >&2; exit 1 ;;
esac
