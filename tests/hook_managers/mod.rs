//! Real hook managers before, after and beside ours, in every order, and taken away again.
//! `just test-all` installs them first.

use crate::support::Repo;
use crate::support::programs::were_set_up;

/// A manager, and what it is told to run before a commit.
#[derive(Debug, Clone, Copy)]
struct Manager {
    install: &'static str,
    /// Takes it away; none if there is no command for it.
    uninstall: Option<&'static str>,
    config: (&'static str, &'static str),
    /// Whether it also runs the hook that was there before it.
    runs_earlier: bool,
}

const CONFIG: &str = "repos:\n- repo: local\n  hooks:\n  - id: theirs\n    name: theirs\n    \
    entry: sh -c 'echo theirs >>\"$HOME/ran\"'\n    language: system\n    always_run: true\n    \
    pass_filenames: false\n";

const PRE_COMMIT: Manager = Manager {
    install: "pre-commit install",
    uninstall: Some("pre-commit uninstall"),
    config: (".pre-commit-config.yaml", CONFIG),
    runs_earlier: true,
};

const PREK: Manager = Manager {
    install: "prek install",
    uninstall: Some("prek uninstall"),
    ..PRE_COMMIT
};

const LEFTHOOK: Manager = Manager {
    install: "lefthook install",
    uninstall: Some("lefthook uninstall"),
    config: (
        "lefthook.yml",
        "pre-commit:\n  commands:\n    theirs:\n      run: echo theirs >>\"$HOME/ran\"\n",
    ),
    runs_earlier: false,
};

const HUSKY: Manager = Manager {
    install: "husky",
    uninstall: None,
    config: (".husky/pre-commit", "echo theirs >>\"$HOME/ran\"\n"),
    runs_earlier: false,
};

const MINE: &str = "#!/bin/sh\necho mine >>\"$HOME/ran\"\n";

struct Bench {
    repo: Repo,
    manager: Manager,
    /// Whether the person has a hook of their own.
    has_mine: bool,
}

impl Bench {
    fn new(manager: Manager, has_mine: bool) -> Bench {
        let repo = Repo::new()
            .with(manager.config.0, manager.config.1)
            .with("package.json", "{}\n")
            .committed();
        if has_mine {
            repo.write(".git/hooks/pre-commit", MINE);
            repo.make_executable(".git/hooks/pre-commit");
        }
        Bench {
            repo,
            manager,
            has_mine,
        }
    }

    fn theirs(&self, command: &str) {
        let ran = self.repo.shell(command);
        assert_eq!(ran.status, 0, "{command}: {}{}", ran.stdout, ran.stderr);
    }

    fn ours(&self) {
        self.repo.tcr(&["install", "--yes"]).success();
    }

    /// What runs before a commit, sorted.
    fn commit(&self) -> Vec<String> {
        let repo = &self.repo;
        let ran = repo.around().join("home/ran");
        drop(std::fs::remove_file(&ran));
        repo.write("docs.md", &repo.commit("HEAD"));
        repo.git(&["add", "docs.md"]);
        repo.git(&["commit", "-q", "-m", "mine"]);
        let said = std::fs::read_to_string(&ran).unwrap_or_default();
        let mut said: Vec<String> = said.lines().map(str::to_owned).collect();
        said.sort();
        said
    }

    /// What a commit has to run while the manager is there.
    fn with_theirs(&self) -> Vec<&'static str> {
        match self.has_mine && self.manager.runs_earlier {
            true => vec!["mine", "theirs"],
            false => vec!["theirs"],
        }
    }

    fn with_mine(&self) -> Vec<&'static str> {
        if self.has_mine { vec!["mine"] } else { vec![] }
    }

    fn is_guarded(&self) {
        let ran = self.repo.try_git(&["update-ref", "refs/tcr/new", "HEAD"]);
        assert!(ran.stderr.contains("belongs to git tcr"), "{}", ran.stderr);
    }

    /// A loop sees to it that ours are in front, and all run once.
    fn settled(&self, what: &str) {
        self.repo.tcr(&["run"]);
        self.is_guarded();
        assert_eq!(self.commit(), self.with_theirs(), "{what}");
        let again = self.repo.tcr(&["run", "--json"]).json();
        assert_eq!(again["put_back"].to_string(), "[]", "{what}: told once");
    }

    /// The hooks of git's folder, and where git looks for them.
    fn hooks(&self) -> Vec<(String, Vec<u8>)> {
        let folder = std::fs::read_dir(self.repo.path(".git/hooks")).expect("a folder");
        let mut found: Vec<_> = folder
            .flatten()
            .map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, std::fs::read(entry.path()).expect("a file"))
            })
            .filter(|(name, _)| !name.ends_with(".sample"))
            .collect();
        found.sort();
        let path = self.repo.try_git(&["config", "core.hooksPath"]).stdout;
        found.push(("core.hooksPath".into(), path.into_bytes()));
        found
    }
}

fn every_order(manager: Manager) {
    let program = manager.install.split(' ').next().unwrap_or_default();
    if !were_set_up(&[program]) {
        return;
    }
    for has_mine in [false, true] {
        // Theirs, ours, theirs again and again.
        let bench = Bench::new(manager, has_mine);
        bench.theirs(manager.install);
        let before = bench.hooks();
        bench.ours();
        bench.settled("theirs, ours");
        for _ in 0..2 {
            bench.theirs(manager.install);
            assert_eq!(bench.commit(), bench.with_theirs(), "before a loop looks");
            bench.settled("theirs, ours, theirs");
        }
        bench.repo.tcr(&["uninstall"]).success();
        assert_eq!(bench.hooks(), before, "{manager:?} {has_mine}");
        assert_eq!(bench.commit(), bench.with_theirs());

        // Ours, theirs; then both go, ours first.
        let bench = Bench::new(manager, has_mine);
        let before = bench.hooks();
        bench.ours();
        bench.theirs(manager.install);
        bench.settled("ours, theirs");
        bench.repo.tcr(&["uninstall"]).success();
        assert_eq!(bench.commit(), bench.with_theirs());
        if let Some(uninstall) = manager.uninstall {
            bench.theirs(uninstall);
            assert_eq!(bench.hooks(), before, "{manager:?} {has_mine}");
            assert_eq!(bench.commit(), bench.with_mine());
        }

        // Theirs goes before a loop has looked.
        if let (Some(uninstall), true) = (manager.uninstall, manager.runs_earlier) {
            let bench = Bench::new(manager, has_mine);
            let before = bench.hooks();
            bench.ours();
            bench.theirs(manager.install);
            bench.theirs(uninstall);
            bench.is_guarded();
            assert_eq!(bench.commit(), bench.with_mine());
            bench.repo.tcr(&["uninstall"]).success();
            assert_eq!(bench.hooks(), before, "{manager:?} {has_mine}");
        }
    }
}

macro_rules! managers {
    ($($name:ident: $manager:expr;)*) => {$(
        #[test]
        fn $name() {
            every_order($manager);
        }
    )*};
}

managers! {
    pre_commit: PRE_COMMIT;
    prek: PREK;
    lefthook: LEFTHOOK;
    husky: HUSKY;
}
