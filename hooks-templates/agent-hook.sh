test "$GIT_TCR" = off && exec cat >/dev/null;
cd "@ROOT@" || exit @FAILURE@;
d=.git; test -f .git && read -r _ d <.git;
tcr=; test -r "$d/tcr/program" && read -r tcr <"$d/tcr/program";
test -x "$tcr" || tcr=git-tcr;
if command -v "$tcr" >/dev/null; then
  "$tcr" @COMMAND@ --client @CLIENT@ || exit @FAILURE@;
elif git rev-parse -q --verify refs/tcr/config >/dev/null 2>&1; then
  cat >/dev/null;
  @MISSING@;
else
  exec cat >/dev/null;
fi
