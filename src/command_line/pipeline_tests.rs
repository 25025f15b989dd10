//! What one program prints for another: names, patches, commands, ids.

use super::spelling_tests::{RED, all_allowed, all_denied};
use super::world_tests::State;

#[test]
fn names_that_git_lists() {
    all_denied(
        State::GREEN,
        &[
            "git grep -l add | xargs sed -i s/add/plus/",
            "git grep -lw add | while read -r f; do sed -i s/add/plus/ \"$f\"; done",
            "git grep -lz add -- '*.py' | xargs -0 sed -i s/add/plus/",
            "sed -i s/add/plus/ $(git grep -l add)",
            "git ls-files '*test*' | xargs rm",
            "git ls-files -- '*_test.rs' ':!docs' | xargs rm",
            "for f in $(git ls-files '*.py'); do echo x >> $f; done",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "git grep -l add -- src/calc.py src/parser.py | xargs sed -i s/add/plus/",
            "git grep -l add -- 'src/*.py' | xargs sed -i s/add/plus/",
            "git ls-files 'docs/*.md' | xargs sed -i s/add/plus/",
            "git ls-files '*.py' ':!tests' | xargs sed -i s/add/plus/",
            "git ls-files '*.py' ':(exclude)tests/*' | xargs sed -i s/add/plus/",
            "git diff --name-only | xargs npx prettier --write",
            "git grep -l add | xargs wc -l",
        ],
    );
}

#[test]
fn the_reverse_of_a_patch_that_git_prints() {
    all_denied(
        State::GREEN,
        &[
            "git show HEAD | git apply -R",
            "git diff HEAD~1 | git apply -R --index",
            "git diff | patch -p1 -R",
            "git diff HEAD~2 -- src | patch --reverse -p1",
            "git format-patch -1 --stdout | git apply --reverse",
            "git show HEAD > /tmp/p.patch && git apply -R /tmp/p.patch",
            "git diff HEAD~1 HEAD > /tmp/p.patch; patch -R -p1 < /tmp/p.patch",
            "git stash show -p | git apply -R",
            "git archive HEAD~3 | tar -xf - -C .",
            "git archive HEAD~1 | tar x",
            "git apply -R <(git show HEAD)",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "git diff > /tmp/p.patch && git apply -R --check /tmp/p.patch",
            "git show HEAD | git apply -R --stat",
            "git diff | patch -R -p1 --dry-run",
            "git archive HEAD | tar -x -C /tmp/export",
            "git archive HEAD | tar -t",
            "git diff HEAD~1 > /tmp/p.patch; wc -l /tmp/p.patch",
            "cd /tmp/other && git show HEAD | git apply -R",
        ],
    );
}

#[test]
fn commands_made_of_names() {
    all_denied(
        State::GREEN,
        &[
            "find tests -name '*.py' -printf 'rm %p\\n' | sh",
            "find tests -type f -printf '%p\\0' | xargs -0 rm",
            "find tests -name '*.py' -printf '%f\\n' | xargs -I{} rm tests/{}",
            "find tests -name '*.py' | awk '{print \"rm \" $0}' | bash",
            "find tests -name '*.py' | awk '{print $1}' | xargs rm",
            "ls tests/*.py | awk '{ printf \"rm %s\\n\", $1 }' | sh",
            "git ls-files tests | awk '/calc/ {print \"git rm \" $0}' | sh",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "find tests -name '*.py' -printf '%s %p\\n' | sort -n | tail -3",
            "find tests -name '*.py' | awk '{print \"cat \" $0}' | sh",
            "find src -name '*.py' | awk '{print $1}' | xargs sed -i s/a/b/",
            "find . -name '*.py' | awk -F/ '{print $2}' | sort | uniq -c",
            "git log --oneline | awk '{print $1}' | xargs -n1 git show --stat",
        ],
    );
}

#[test]
fn processes_found_by_name() {
    all_denied(
        RED,
        &[
            "ps aux | grep git-tcr | awk '{print $2}' | xargs kill -9",
            "ps -ef | grep '[g]it-tcr' | awk '{print $2}' | xargs -r kill",
            "kill $(ps aux | grep git-tcr | grep -v grep | awk '{print $2}')",
            "ps aux | awk '/git-tcr/ {print $2}' | xargs kill",
            "ps -eo pid,cmd | grep -E 'git-tcr|vite' | cut -d' ' -f1 | xargs kill",
            "for p in $(pgrep -f git-tcr); do kill $p; done",
        ],
    );
    all_allowed(
        RED,
        &[
            "ps aux | grep git-tcr | grep -v grep",
            "ps aux | grep node | grep -v grep | awk '{print $2}' | xargs -r kill",
            "ps aux | grep '[n]ode' | awk '{print $2}' | xargs -r kill",
            "ps aux | grep -E 'node|vite' | awk '{print $2}' | xargs kill -9",
            "ps aux | grep 'python.*server' | awk '{print $2}' | xargs kill",
            "ps aux | awk '/node/ {print $2}' | xargs kill",
            "ps aux | awk '$11 ~ /node/ {print $2}' | xargs kill",
            "kill $(lsof -ti:3000)",
            "ps -o pid= -p $$ | xargs echo",
        ],
    );
}

#[test]
fn other_programs_that_rewrite_what_they_are_given() {
    all_denied(
        State::GREEN,
        &[
            "yarn prettier --write tests/a.ts",
            "pnpm prettier --write tests/a.ts",
            "ast-grep run -p 'a' -r 'b' -U tests/test_calc.py",
            "sg -p a -r b --update-all tests/test_calc.py",
            "comby 'a' 'b' -i tests/test_calc.py",
            "npx jscodeshift -t /tmp/t.js tests/a.js",
            "emacs --batch tests/test_calc.py --eval '(replace-string \"a\" \"b\")' -f save-buffer",
            "emacs -Q --batch --eval '(with-temp-file \"tests/a.py\" (insert \"x\"))'",
            "emacs --batch --eval '(progn (find-file \"tests/test_calc.py\") (erase-buffer) (save-buffer))'",
            "emacs -batch -eval '(delete-file \"tests/test_calc.py\")'",
            "cat > /tmp/m.mk <<'E'\nall:\n\techo x > tests/a.py\nE\nmake -f /tmp/m.mk",
            "gh pr checkout 12",
            "gh pr co 12 --force",
            "gh repo sync --force",
            "pwsh -c \"[IO.File]::WriteAllText('tests/a.py','x = 1')\"",
            "pwsh -NoProfile -Command \"[System.IO.File]::Delete('tests/test_calc.py')\"",
            "pwsh -c \"(Get-Content tests/test_calc.py) -replace 'a','b' | Set-Content tests/test_calc.py\"",
            "pwsh -c '$x = Get-Content src/calc.py; $x | Set-Content -Path tests/a.py'",
        ],
    );
    all_allowed(
        State::GREEN,
        &[
            "yarn prettier --check tests/a.ts",
            "yarn test tests/a.ts",
            "pnpm eslint tests/a.ts",
            "ast-grep run -p 'assert $A' tests",
            "sg -p a -r b tests/test_calc.py",
            "emacs --version",
            "emacs --batch tests/test_calc.py --eval '(princ (buffer-string))'",
            "emacs --batch --eval '(with-temp-file \"/tmp/a.py\" (insert \"tests/a.py\"))'",
            "gh pr view 12 --json title",
            "gh pr checkout --help",
            "gh pr diff 12 > /tmp/pr.diff",
            "gh repo sync owner/fork --source up/stream",
            "pwsh -c \"Get-Content tests/test_calc.py | Select-String assert\"",
            "pwsh -c \"[IO.File]::ReadAllText('tests/test_calc.py')\"",
            "pwsh -c \"(Get-Content tests/test_calc.py).Length; Write-Output 'Set-Content tests/a.py'\"",
        ],
    );
}
