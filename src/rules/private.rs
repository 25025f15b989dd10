//! Files that belong to a person or a machine and not to the work: secrets, an editor's own files,
//! what tools leave behind. Asked of untracked files only: what is tracked was somebody's decision.
//!
//! A name is listed here only if it is certain: source, config and test data that an agent was asked
//! to write must never be left out of a commit.

/// Beyond this many bytes a file is left for a person to add.
const TOO_LARGE: u64 = 5_000_000;

/// Folders that hold what tests read. Nothing in them is private by its name, but for what no test
/// reads: a fixture may be a key, a log, a database, a `.env` or a `node_modules`.
const DATA_FOLDERS: [&[u8]; 13] = [
    b"__fixtures__",
    b"__snapshots__",
    b"cassettes",
    b"fixture",
    b"fixtures",
    b"golden",
    b"goldens",
    b"snapshots",
    b"test-data",
    b"test-fixtures",
    b"test_data",
    b"test_fixtures",
    b"testdata",
];

/// Folders of tests. Keys, logs and databases in them are data too; secrets are secrets.
const TEST_FOLDERS: [&[u8]; 7] = [
    b"__tests__",
    b"e2e",
    b"integration_test",
    b"spec",
    b"test",
    b"testing",
    b"tests",
];

/// Folders that are written by the way wherever code is run.
const LITTER_FOLDERS: [&[u8]; 2] = [b"__pycache__", b".ipynb_checkpoints"];

/// Folders of editors, caches of tools, installed dependencies, reports of coverage.
const TOOL_FOLDERS: [&[u8]; 40] = [
    b".angular",
    b".cache",
    b".ccls-cache",
    b".clangd",
    b".dart_tool",
    b".direnv",
    b".eggs",
    b".elixir_ls",
    b".env",
    b".fleet",
    b".gnupg",
    b".gradle",
    b".history",
    b".hypothesis",
    b".idea",
    b".ionide",
    b".metals",
    b".mypy_cache",
    b".next",
    b".nox",
    b".nuxt",
    b".nyc_output",
    b".parcel-cache",
    b".phpunit.cache",
    b".pnpm-store",
    b".pytest_cache",
    b".pytype",
    b".ruff_cache",
    b".sass-cache",
    b".ssh",
    b".stack-work",
    b".svelte-kit",
    b".terraform",
    b".tox",
    b".turbo",
    b".venv",
    b".vs",
    b"htmlcov",
    b"lcov-report",
    b"node_modules",
];

/// What a team shares of `.vscode`; the rest of it is one person's.
const SHARED_VSCODE: [&[u8]; 4] = [
    b"extensions.json",
    b"launch.json",
    b"settings.json",
    b"tasks.json",
];

/// Files of operating systems and file systems.
const LITTER: [&[u8]; 6] = [
    b".directory",
    b".ds_store",
    b".localized",
    b"desktop.ini",
    b"ehthumbs.db",
    b"thumbs.db",
];

/// Files with passwords and tokens.
const SECRETS: [&[u8]; 8] = [
    b".git-credentials",
    b".netrc",
    b".pgpass",
    b".pypirc",
    b".vault_pass",
    b"_netrc",
    b"serviceaccountkey.json",
    b"terraform.tfstate",
];

/// Files that tools write while they work: coverage, caches, output of a command in the background.
const TOOL_FILES: [&[u8]; 17] = [
    b".coverage",
    b".eslintcache",
    b".php-cs-fixer.cache",
    b".phpunit.result.cache",
    b".stylelintcache",
    b"clover.xml",
    b"cobertura-coverage.xml",
    b"coverage-final.json",
    b"coverage-summary.json",
    b"coverage.lcov",
    b"coverage.out",
    b"coverage.xml",
    b"cover.out",
    b"dump.rdb",
    b"jacoco.exec",
    b"lcov.info",
    b"nohup.out",
];

const KEY_ENDINGS: [&[u8]; 8] = [
    b".jks",
    b".key",
    b".keystore",
    b".p12",
    b".p8",
    b".pem",
    b".pfx",
    b".ppk",
];

const DATABASE_ENDINGS: [&[u8]; 5] = [b".db", b".db3", b".sqlite", b".sqlite2", b".sqlite3"];

/// What SQLite puts next to a database that is open.
const DATABASE_SIDES: [&[u8]; 3] = [b"-journal", b"-shm", b"-wal"];

const TOOL_ENDINGS: [&[u8]; 10] = [
    b".csproj.user",
    b".gcda",
    b".gcno",
    b".profdata",
    b".profraw",
    b".sublime-workspace",
    b".suo",
    b".tfstate.backup",
    b".tsbuildinfo",
    b".vcxproj.user",
];

/// How a report of coverage looks that a runner wrote into `coverage/` at the root; a package of that
/// name has source in it.
const COVERAGE_ENDINGS: [&[u8]; 9] = [
    b".css", b".gif", b".html", b".info", b".json", b".png", b".svg", b".tmp", b".xml",
];
const COVERAGE_SCRIPTS: [&[u8]; 3] = [b"block-navigation.js", b"prettify.js", b"sorter.js"];

/// Words in the name of a `.env` that show how one is written.
const EXAMPLES: [&[u8]; 8] = [
    b"default",
    b"defaults",
    b"dist",
    b"example",
    b"sample",
    b"schema",
    b"template",
    b"tpl",
];

/// Whether an untracked file is to be in no commit: a secret, an editor's or a tool's own file, or
/// a very large one. `path` starts at the root, with `/` between; `size` is in bytes, if known.
pub fn is_private(path: &[u8], size: Option<u64>) -> bool {
    if size.is_some_and(|size| size > TOO_LARGE) {
        return true;
    }
    let folded = path.to_ascii_lowercase();
    let mut folders: Vec<&[u8]> = folded.split(|byte| *byte == b'/').collect();
    let name = folders.pop().unwrap_or_default();
    let lies_in = |wanted: &[&[u8]]| folders.iter().any(|folder| wanted.contains(folder));
    if is_litter(name) || lies_in(&LITTER_FOLDERS) {
        return true;
    }
    if lies_in(&DATA_FOLDERS) {
        return false;
    }
    lies_in(&TOOL_FOLDERS)
        || folders.iter().any(|folder| folder.ends_with(b".egg-info"))
        || is_secret(name)
        || is_tools_file(name)
        || is_ones_own_vscode(&folders, name)
        || is_coverage_report(&folders, name)
        || is_credentials(&folders, name)
        || (!lies_in(&TEST_FOLDERS) && (is_key(name) || is_log(name) || is_database(name)))
}

/// Whether a name is one that only editors give: such a file comes and goes with the window.
pub fn is_editor_scratch(name: &[u8]) -> bool {
    let unsaved = name.starts_with(b"#") && ends(name, b"#");
    // The file by which vim finds out whether it may write here.
    let probe = name == b"4913";
    let half_written = name.starts_with(b".goutputstream-")
        || ends(name, b"___jb_tmp___")
        || ends(name, b"___jb_old___");
    is_vim_swap(name)
        || is_emacs_lock(name)
        || unsaved
        || probe
        || half_written
        || ends(name, b".kate-swp")
        || ends(name, b"~")
}

/// `.add.py.swp`, `.add.py.swo` and so on.
pub fn is_vim_swap(name: &[u8]) -> bool {
    matches!(name, [b'.', .., b'.', b's', b'w', last] if last.is_ascii_lowercase())
}

/// `.#add.py`, a link that says who edits `add.py`.
pub fn is_emacs_lock(name: &[u8]) -> bool {
    name.starts_with(b".#")
}

/// What is no work and no test's data, wherever it lies.
fn is_litter(name: &[u8]) -> bool {
    is_editor_scratch(name)
        || LITTER.contains(&name)
        || name == b".swp"
        || ends_in_any(name, &[b".swp", b".swo", b".pyc", b".pyo"])
        || name.starts_with(b".nfs0")
        || name.starts_with(b".fuse_hidden")
        // What macOS writes next to a file on foreign disks.
        || (name.starts_with(b"._") && name.len() > 2)
}

fn is_secret(name: &[u8]) -> bool {
    let downloaded = name.starts_with(b"client_secret") && name.ends_with(b".json");
    is_environment(name) || SECRETS.contains(&name) || downloaded
}

/// A name that elsewhere may be a page or a schema.
fn is_credentials(folders: &[&[u8]], name: &[u8]) -> bool {
    match folders.last() {
        None => name == b"credentials.json",
        Some(folder) => *folder == b".aws" && name == b"credentials",
    }
}

/// `.env`, `.env.local`, `.envrc`, but not `.env.example`, and not `.envoy.yaml`.
fn is_environment(name: &[u8]) -> bool {
    let Some(rest) = name.strip_prefix(b".env") else {
        return false;
    };
    let mut words = rest.split(|byte| b".-_".contains(byte));
    match rest.first() {
        None => true,
        Some(b'.' | b'-' | b'_') => !words.any(|word| EXAMPLES.contains(&word)),
        Some(_) => rest == b"rc" || rest == b"rc.local",
    }
}

fn is_key(name: &[u8]) -> bool {
    ends_in_any(name, &KEY_ENDINGS) || is_ssh_key(name)
}

/// `id_rsa`, `id_ed25519_work`, `id_rsa.pub`, but not `id_rsa_reader.py`.
fn is_ssh_key(name: &[u8]) -> bool {
    let kinds: [&[u8]; 4] = [b"id_rsa", b"id_dsa", b"id_ecdsa", b"id_ed25519"];
    kinds.iter().any(|kind| {
        let Some(rest) = name.strip_prefix(*kind) else {
            return false;
        };
        let endings: [&[u8]; 3] = [b".pub", b".bak", b".old"];
        !rest.contains(&b'.') || endings.iter().any(|ending| rest.ends_with(ending))
    })
}

/// `server.log`, and the older ones `server.log.1`.
fn is_log(name: &[u8]) -> bool {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let (start, _) = name.split_at(name.len() - digits.count());
    ends(name, b".log") || ends(start, b".log.")
}

fn is_database(name: &[u8]) -> bool {
    let side = |name: &[u8]| {
        DATABASE_SIDES
            .iter()
            .find_map(|end| Some(name.strip_suffix(*end)?.len()))
    };
    let (database, _) = name.split_at(side(name).unwrap_or(name.len()));
    ends_in_any(database, &DATABASE_ENDINGS)
}

fn is_tools_file(name: &[u8]) -> bool {
    TOOL_FILES.contains(&name)
        || name.starts_with(b".coverage.")
        || ends_in_any(name, &TOOL_ENDINGS)
}

fn is_ones_own_vscode(folders: &[&[u8]], name: &[u8]) -> bool {
    let shared = SHARED_VSCODE.contains(&name) || ends(name, b".code-snippets");
    folders.contains(&b".vscode".as_slice()) && !shared
}

fn is_coverage_report(folders: &[&[u8]], name: &[u8]) -> bool {
    folders.first().is_some_and(|folder| *folder == b"coverage")
        && (ends_in_any(name, &COVERAGE_ENDINGS) || COVERAGE_SCRIPTS.contains(&name))
}

/// Whether a name has this end and something before it.
fn ends(name: &[u8], end: &[u8]) -> bool {
    name.len() > end.len() && name.ends_with(end)
}

fn ends_in_any(name: &[u8], all: &[&[u8]]) -> bool {
    all.iter().any(|end| ends(name, end))
}

#[cfg(test)]
#[path = "private_tests.rs"]
mod tests;
