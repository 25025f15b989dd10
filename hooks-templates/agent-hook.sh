test "$GIT_TCR" = off && exec cat >/dev/null;
cd "@ROOT@" || exit @FAILURE@;
if command -v git-tcr >/dev/null; then
  git-tcr @COMMAND@ --client @CLIENT@ || exit @FAILURE@;
elif git rev-parse -q --verify refs/tcr/config >/dev/null 2>&1; then
  cat >/dev/null;
  @MISSING@;
else
  exec cat >/dev/null;
fi
