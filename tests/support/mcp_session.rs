//! A `git tcr mcp` and a client that talks to it line by line.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::{PROGRAM, Repo};

/// The client, and the server it started.
pub struct Session {
    child: Child,
    to: Option<ChildStdin>,
    from: BufReader<ChildStdout>,
    number: u64,
}

impl Session {
    pub fn open(repo: &Repo) -> Session {
        let mut child = repo
            .command(PROGRAM)
            .arg("mcp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut session = Session {
            to: child.stdin.take(),
            from: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
            number: 0,
        };
        let hello = session.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "a test", "version": "1"},
            }),
        );
        assert_eq!(hello["result"]["serverInfo"]["name"], "git-tcr", "{hello}");
        session.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        session
    }

    pub fn send(&mut self, line: &str) {
        let to = self.to.as_mut().expect("it is open");
        writeln!(to, "{line}").expect("it reads");
        to.flush().expect("it reads");
    }

    pub fn request(&mut self, method: &str, params: Value) -> u64 {
        self.number += 1;
        let number = self.number;
        let request = json!({"jsonrpc": "2.0", "id": number, "method": method, "params": params});
        self.send(&request.to_string());
        number
    }

    pub fn next(&mut self) -> Value {
        let mut line = String::new();
        self.from.read_line(&mut line).expect("an answer");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// The answer to a request, whatever else is said before it.
    pub fn answer(&mut self, number: u64) -> Value {
        loop {
            let said = self.next();
            if said["id"] == number {
                return said;
            }
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let number = self.request(method, params);
        self.answer(number)
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments}));
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    pub fn close(mut self) -> Option<i32> {
        self.to = None;
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
