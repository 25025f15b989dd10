//! `audit`

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

/// `audit`
#[derive(Debug, Args)]
pub struct AuditArgs {
    /// The commits, e.g. `main..HEAD`; by default those since your branch left its upstream or `main`.
    pub range: Option<String>,
    /// Ask about each commit by itself instead of all as one change.
    #[arg(long)]
    pub each: bool,
    /// What makes a fresh checkout ready for its tests, e.g. `npm ci`; without it they run with what your worktree has.
    #[arg(long, value_name = "CMD")]
    pub setup: Option<String>,
    /// How the tests are run; by default as `.tcr.toml` at the base of the range says, or as is found out there.
    #[arg(long, value_name = "CMD")]
    pub test: Option<String>,
    /// The most telling experiments first, and no more than fit: `90s`, `10m`, `1h`.
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub budget: Option<Duration>,
    /// List the experiments that can be done at once, on several machines.
    #[arg(long, conflicts_with_all = ["run", "merge", "sarif", "markdown"])]
    pub plan: bool,
    /// Do one experiment of the plan and write what it says, as JSON.
    #[arg(long, value_name = "ID", conflicts_with_all = ["merge", "sarif", "markdown"])]
    pub run: Option<String>,
    /// Where `--run` writes; by default to standard output.
    #[arg(long, value_name = "FILE", requires = "run")]
    pub out: Option<PathBuf>,
    /// Take what `--run` wrote elsewhere, and give the verdict; what is missing is asked here.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub merge: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long, conflicts_with_all = ["sarif", "markdown"])]
    pub json: bool,
    /// Print SARIF, for code scanning.
    #[arg(long, conflicts_with = "markdown")]
    pub sarif: bool,
    /// Print Markdown, for a job summary or a comment.
    #[arg(long)]
    pub markdown: bool,
}

/// `90`, `90s`, `10m`, `1h`.
fn time(text: &str) -> Result<Duration, String> {
    let (number, unit) = match text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic()) {
        number if number.len() == text.len() => (text, 1),
        number => match &text[number.len()..] {
            "s" => (number, 1),
            "m" | "min" => (number, 60),
            "h" => (number, 3_600),
            _ => return Err("a time is a number with `s`, `m` or `h`, e.g. `10m`".into()),
        },
    };
    let number: u64 = number.parse().map_err(|_| "a time begins with a number")?;
    Ok(Duration::from_secs(number.saturating_mul(unit)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        for (text, seconds) in [
            ("90", Some(90)),
            ("90s", Some(90)),
            ("10m", Some(600)),
            ("2h", Some(7_200)),
            ("soon", None),
            ("10 days", None),
            ("", None),
        ] {
            assert_eq!(
                time(text).ok().map(|time| time.as_secs()),
                seconds,
                "{text}"
            );
        }
    }
}
