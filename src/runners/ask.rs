//! How a runner is asked for a report without a change to the project: by variables, and by files of
//! ours outside of it.

use super::RUNNERS;
use super::aim::Aim;
use super::command::Found;

/// How a value of ours goes with one that is set already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Join {
    /// After it, with this between.
    After(&'static str),
    /// Before it, with this between.
    Before(&'static str),
    /// After it, and after the separator if there is none.
    AlwaysAfter(&'static str),
    /// Not at all: the user's own value stays.
    Yield,
    /// In its place.
    Replace,
}

/// A variable to set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) name: &'static str,
    pub(crate) join: Join,
    pub(crate) value: String,
}

/// A file to write into our folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reporter {
    pub(crate) path: &'static str,
    pub(crate) content: String,
    pub(crate) is_program: bool,
}

/// A run that a runner is asked for a report of.
pub(crate) struct Asking<'a> {
    pub(crate) found: &'a Found,
    /// Our folder, which holds the files of a [`Way`].
    pub(crate) home: &'a str,
    /// The folder that takes the reports; `$GIT_TCR_OUT` in the environment of the run.
    pub(crate) out: &'a str,
    /// The value that a variable has already, or nothing.
    pub(crate) variable: &'a dyn Fn(&str) -> String,
    /// The tests to run, if not all.
    pub(crate) aim: Option<&'a Aim<'a>>,
}

/// What is needed to get a report from one runner.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) settings: Vec<Setting>,
    pub(crate) reporters: Vec<Reporter>,
}

impl Way {
    pub(crate) fn set(mut self, name: &'static str, join: Join, value: impl Into<String>) -> Way {
        let value = value.into();
        self.settings.push(Setting { name, join, value });
        self
    }

    pub(crate) fn file(mut self, path: &'static str, content: &str) -> Way {
        self.reporters.push(Reporter {
            path,
            content: content.to_owned(),
            is_program: false,
        });
        self
    }

    /// The same, if there is anything to write.
    pub(crate) fn file_if(self, path: &'static str, content: Option<String>) -> Way {
        match content {
            Some(content) => self.file(path, &content),
            None => self,
        }
    }

    /// A program of ours that is found on PATH before the one of the same name.
    pub(crate) fn shim(mut self, home: &str, path: &'static str, content: &str) -> Way {
        self.reporters.push(Reporter {
            path,
            content: content.to_owned(),
            is_program: true,
        });
        let shims = format!("{home}/shims");
        self.set("PATH", Join::Before(":"), shims.clone())
            .set("GIT_TCR_SHIMS", Join::Yield, shims)
    }

    /// A script that every Python interpreter runs first, and the hooks of runners that lie beside it.
    pub(crate) fn python_hook(self, home: &str) -> Way {
        self.set(
            "PYTHONPATH",
            Join::Before(":"),
            format!("{home}/python-start"),
        )
        .file(
            "python-start/sitecustomize.py",
            include_str!("reporters/sitecustomize.py"),
        )
    }

    /// A script that every Node process loads first. It looks which runner the process is, and loads the
    /// file that the runner keeps next to it.
    pub(crate) fn node_hook(self, home: &str) -> Way {
        let hook = format!("--require={home}/node/tcr-node-hook.cjs");
        let way = self
            .set("NODE_OPTIONS", Join::After(" "), hook)
            .file(
                "node/tcr-node-hook.cjs",
                include_str!("reporters/tcr-node-hook.cjs"),
            )
            .file(
                "node/tcr-node-aim.cjs",
                include_str!("reporters/tcr-node-aim.cjs"),
            )
            .file("node/nothing.cjs", "");
        let files = RUNNERS.iter().flat_map(|runner| runner.node_files);
        files.fold(way, |way, (path, content)| way.file(path, content))
    }
}
