#!/bin/sh
# git-tcr: put here by `git tcr install`, taken away by `git tcr uninstall`; edits are undone.
# The hook that was here before runs afterwards.
before=@BEFORE@
if [ "$GIT_TCR" != off ]; then
  tcr=@PROGRAM@
  [ -x "$tcr" ] || tcr=$(command -v git-tcr)
  if [ -x "$tcr" ]; then
    "$tcr" git-hook @NAME@ "$@" || exit
  else
    case $(git symbolic-ref -q HEAD) in
      refs/heads/tcr/*) echo "@MISSING@" >&2; exit 1 ;;
    esac
  fi
fi
[ -x "$before" ] || exit 0
exec "$before" "$@"
