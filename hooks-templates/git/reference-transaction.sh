#!/bin/sh
# git-tcr: put here by `git tcr install`, taken away by `git tcr uninstall`; edits are undone.
# Git calls this for every ref that moves: nothing is started unless one of ours is among them.
before=@BEFORE@
if [ -x "$before" ]; then
  input=$(cat; echo .)
  input=${input%.}
  printf %s "$input" | "$before" "$@" || exit
  exec <<END
$input
END
fi
[ "$1" = prepared ] && [ "$GIT_TCR" != off ] || exit 0
ours= lines=0
while read -r old new ref; do
  case $ref in
    refs/tcr/*|refs/notes/tcr*|refs/heads/tcr/*) ours="$ours$old $new $ref
" ;;
  esac
  lines=$((lines + 1))
  if [ $lines -eq 200 ]; then # the shell reads byte by byte: a long list is quicker this way
    ours=$ours$(grep -E ' refs/(tcr/|notes/tcr|heads/tcr/)') || [ $? -eq 1 ] || exit 1
    break
  fi
done
[ -n "$ours" ] || exit 0
tcr=$(command -v git-tcr) || tcr=@PROGRAM@
[ -x "$tcr" ] || { echo "@MISSING@" >&2; exit 1; }
printf '%s\n' "$ours" | "$tcr" git-hook @NAME@ "$@"
