#!/bin/sh
# git-tcr: put here by `git tcr install`, taken away by `git tcr uninstall`; edits are undone.
# A new worktree gets the files by which agents are held to the rules; it comes from no commit. The
# hook that was here before runs afterwards.
before=@BEFORE@
case $1 in
  *[!0]*) ;;
  *)
    tcr=@PROGRAM@
  [ -x "$tcr" ] || tcr=$(command -v git-tcr)
    [ "$GIT_TCR" = off ] || [ ! -x "$tcr" ] || "$tcr" git-hook @NAME@ "$@" || exit
    ;;
esac
[ -x "$before" ] || exit 0
exec "$before" "$@"
