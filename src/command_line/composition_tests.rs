//! Means, wrappings and spellings put together at random, from a seed that stays: a forbidden
//! write is denied however it is said, and what only reads is allowed.

use super::quoted;
use super::spelling_tests::{all_allowed, all_denied};
use super::world_tests::State;

const ROUNDS: usize = 1_500;

/// Means of writing; the path takes the place of `@`. Behind the path only words of a shell follow.
const WRITING: &[&str] = &[
    "echo x > @",
    "echo x >> @",
    "cat README.md > @",
    "tee @ < README.md",
    "cp README.md @",
    "mv README.md @",
    "rm @",
    "rm -rf @",
    "sed -i s/a/b/ @",
    "sed --in-place=.bak s/a/b/ @",
    "truncate -s 0 @",
    "dd if=/dev/null of=@",
    "ln -sf README.md @",
    "install -m 644 README.md @",
    "rsync README.md @",
    "chmod 000 @",
    "git checkout HEAD~1 -- @",
    "git rm -f @",
    "perl -i -pe s/a/b/ @",
    "sort README.md -o @",
    "patch @ /tmp/x.diff",
    "find @ -delete",
    "find @ -exec rm {} +",
    "echo @ | xargs rm",
    "curl -o @ http://x/y",
    "wget -O @ http://x/y",
    "black @",
    "prettier --write @",
    "gzip @",
    "sponge @ < README.md",
    "frobnicate @",
    "frobnicate --into=@",
    "frobnicate --quiet -x @",
    "ex -sc '%d|x' @",
];

/// Programs that write; their paths are spelled plainly.
const PROGRAMS: &[&str] = &[
    "python3 -c \"open('@', 'w').write('x')\"",
    "python3 -c \"import os; os.remove('@')\"",
    "python3 -c \"from pathlib import Path; Path('@').write_text('x')\"",
    "node -e \"require('fs').writeFileSync('@', '')\"",
    "ruby -e 'File.delete(\"@\")'",
    "perl -e 'unlink \"@\"'",
    "php -r 'unlink(\"@\");'",
    "Rscript -e 'unlink(\"@\")'",
    "julia -e 'rm(\"@\")'",
    "elixir -e 'File.rm!(\"@\")'",
    "guile -c '(delete-file \"@\")'",
    "pwsh -c 'Remove-Item @'",
    "fish -c 'rm @'",
    "awk 'BEGIN { print > \"@\" }'",
    "vim -es -c '%d' -c wq @",
    "emacs --batch --eval '(delete-file \"@\")'",
    "python3 - <<'E'\nimport shutil\nshutil.copy('README.md', '@')\nE\n",
];

const READING: &[&str] = &[
    "cat @",
    "head -n 5 @",
    "grep -n x @",
    "ls -l @",
    "wc -l @",
    "diff @ README.md",
    "sed -n 1,5p @",
    "sort @",
    "jq . @",
    "git diff -- @",
    "git log --oneline -- @",
    "git add @",
    "git show HEAD:@",
    "pytest -q @",
    "python3 -m pytest @",
    "python3 @",
    "mypy @",
    "pylint @",
    "ruff check @",
    "eslint @",
    "black --check @",
    "prettier --check @",
    "npx jest @",
    "npm test -- @",
    "cargo test -q",
    "./scripts/build.sh @",
    "cp @ /tmp/x",
    "tar -czf /tmp/x.tgz @",
    "python3 -m json.tool @",
    "awk '{ print $1 }' @",
    "cat @ > /tmp/copy",
    "gh pr create --title x --body 'about @'",
    "shellcheck @",
    "less @",
];

const READING_PROGRAMS: &[&str] = &[
    "python3 -c \"print(open('@').read())\"",
    "node -e \"console.log(require('fs').readFileSync('@', 'utf8'))\"",
    "ruby -e 'puts File.read(\"@\")'",
    "Rscript -e 'readLines(\"@\")'",
    "julia -e 'println(read(\"@\", String))'",
    "pwsh -c 'Get-Content @'",
    "fish -c 'cat @'",
    "vim -es -c '%p' -c 'q!' @",
];

/// What may stand around a command; its text takes the place of `@`, in quotes that of `^`.
const WRAPPINGS: &[&str] = &[
    "@",
    "sh -c ^",
    "bash -lc ^",
    "eval ^",
    "( @\n)",
    "{ @\n}",
    "true && @",
    "false || @",
    "if true; then\n@\nfi",
    "for i in 1 2; do\n@\ndone",
    "f() {\n@\n}; f",
    "cd src && cd .. && @",
    "echo hi; @",
    "x=$(@\n)",
    "sudo sh -c ^",
    "env A=b sh -c ^",
    "timeout 9 sh -c ^",
    "nohup nice sh -c ^",
    "echo ^ | sh",
    "bash <<'EOT'\n@\nEOT\n",
];

const FILES: &[&str] = &[
    "tests/test_calc.py",
    "src/calc_test.rs",
    ".claude/settings.json",
];
const READ: &[&str] = &["tests/test_calc.py", "src/calc.py", "README.md"];

/// A path in words of a shell.
const SPELLINGS: &[fn(&str) -> String] = &[
    |path| path.to_owned(),
    |path| format!("./{path}"),
    |path| path.replace('/', "//"),
    |path| format!("docs/../{path}"),
    |path| format!("@REPO@/{path}"),
    |path| format!("\"$PWD\"/{path}"),
    |path| format!("'{path}'"),
    |path| path.replacen('/', "\"/\"", 1),
    |path| path.replacen('s', "\\s", 1),
    |path| format!("{}*", path.trim_end_matches('y')),
    |path| format!("$(echo {path})"),
    |path| format!("${{UNSET:-{path}}}"),
];
/// Spellings that hold inside of programs, too.
const PLAIN: usize = 5;

struct Seed(u64);

impl Seed {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let at = usize::try_from(self.0 >> 33).unwrap_or(0) % from.len();
        from[at]
    }
}

fn compositions(seed: u64, means: &[&str], programs: &[&str], files: &[&str]) -> Vec<String> {
    let mut seed = Seed(seed);
    let mut compose = || {
        let is_program = seed.pick(&[true, false]);
        let (means, spellings) = match is_program {
            true => (seed.pick(programs), &SPELLINGS[..PLAIN]),
            false => (seed.pick(means), SPELLINGS),
        };
        let path = seed.pick(spellings)(seed.pick(files));
        let wrapping = seed.pick(WRAPPINGS);
        let command = means.replace('@', &path.replace('@', "\u{1}"));
        let quoted = quoted(std::slice::from_ref(&command));
        let whole = wrapping.replace('^', &quoted).replace('@', &command);
        whole.replace('\u{1}', "@")
    };
    (0..ROUNDS).map(|_| compose()).collect()
}

#[test]
fn a_forbidden_write_is_denied_however_it_is_said() {
    let commands = compositions(1, WRITING, PROGRAMS, FILES);
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    all_denied(State::GREEN, &commands);
}

#[test]
fn what_only_reads_is_allowed_however_it_is_said() {
    let commands = compositions(2, READING, READING_PROGRAMS, READ);
    let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
    all_allowed(State::GREEN, &commands);
}
