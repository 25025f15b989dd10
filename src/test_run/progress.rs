//! What the loop tells while it is at work.

/// Watches the loop.
pub(crate) trait Progress {
    /// Another git tcr holds the worktree; this one waits for it.
    fn waiting(&mut self, owner: &str);
    /// The tests start.
    fn tests_start(&mut self, command: &str);
    /// The newest line that the tests printed.
    fn tests_line(&mut self, line: &str);
    /// The tests ended.
    fn tests_end(&mut self);
}
