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
while [ $lines -lt 4 ] && read -r old new ref; do
  case $ref in
    refs/tcr/*|refs/notes/tcr*|refs/heads/tcr/*) ours="$ours$old $new $ref
" ;;
  esac
  lines=$((lines + 1))
done
[ -n "$ours" ] || [ $lines -eq 4 ] || exit 0
export program=@PROGRAM@ ask='tcr=$program
  [ -x "$tcr" ] || tcr=$(command -v git-tcr)
  [ -x "$tcr" ] || { echo "@MISSING@" >&2; exit 1; }
  exec "$tcr" git-hook @NAME@ prepared'
if [ -z "$ours" ] && command -v awk >/dev/null; then
  # The shell reads byte by byte: a long list is quicker this way.
  exec awk '/ refs\/(tcr\/|notes\/tcr|heads\/tcr\/)/ { print | ENVIRON["ask"]; ours = 1 }
    END { if (ours && close(ENVIRON["ask"])) exit 1 }'
fi
{ printf %s "$ours"; cat; } | sh -c "$ask"
