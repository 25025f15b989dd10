#!/bin/sh
# git-tcr: put here by `git tcr install`, taken away by `git tcr uninstall`; edits are undone.
# The hook that was here before runs afterwards, with the same input.
before=@BEFORE@
input=$(cat; echo .)
input=${input%.}
if [ "$GIT_TCR" != off ]; then
  tcr=@PROGRAM@
  [ -x "$tcr" ] || tcr=$(command -v git-tcr)
  if [ -x "$tcr" ]; then
    printf %s "$input" | "$tcr" git-hook @NAME@ "$@" || exit
  else
    case $input in
      *refs/tcr/*|*refs/notes/tcr*|*refs/heads/tcr/*) echo "@MISSING@" >&2; exit 1 ;;
    esac
  fi
fi
[ -x "$before" ] || exit 0
printf %s "$input" | "$before" "$@"
