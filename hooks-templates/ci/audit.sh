#!/bin/sh
# Audits what a pull request brings. Set by the caller, all of it optional: TCR_RANGE, TCR_SETUP,
# TCR_TEST, TCR_BUDGET, TCR_EACH (true), TCR_UNKNOWN (`pass` lets through what could not be told), and
# TCR_OUT, the folder for audit.md and audit.sarif.
set -u
target=${GITHUB_BASE_REF:-${CI_MERGE_REQUEST_TARGET_BRANCH_NAME:-}}
range=${TCR_RANGE:-}
if [ -z "$range" ] && [ -n "$target" ]; then
  git fetch -q origin "+refs/heads/$target:refs/remotes/origin/$target" || exit 2
  range=origin/$target..HEAD
fi
out=${TCR_OUT:-${RUNNER_TEMP:-.}}
mkdir -p "$out"
set -- "--sarif=$out/audit.sarif" "--markdown=$out/audit.md"
[ -z "${TCR_SETUP:-}" ] || set -- "$@" --setup "$TCR_SETUP"
[ -z "${TCR_TEST:-}" ] || set -- "$@" --test "$TCR_TEST"
[ -z "${TCR_BUDGET:-}" ] || set -- "$@" --budget "$TCR_BUDGET"
[ "${TCR_EACH:-}" != true ] || set -- "$@" --each
[ -z "$range" ] || set -- "$@" "$range"
git-tcr audit "$@"
status=$?
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -f "$out/audit.md" ]; then
  cat "$out/audit.md" >> "$GITHUB_STEP_SUMMARY"
fi
if [ "$status" = 2 ] && [ "${TCR_UNKNOWN:-}" = pass ]; then
  exit 0
fi
exit "$status"
