//! A model on loopback that answers from a script, in the four dialects that clients speak.
//!
//! It keeps no conversation of its own: the number of tool calls in a request says which step is
//! next, and what follows the last of them is what the client told the model about it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// A call that the model makes. An argument that is a string is for a tool without a schema.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) tool: &'static str,
    pub(super) args: Value,
}

/// The server.
pub(super) struct Model {
    pub(super) port: u16,
    told: Arc<Mutex<BTreeMap<usize, String>>>,
}

impl Model {
    /// Serves one call after the other, then ends the turn.
    pub(super) fn with_script(script: Vec<Call>) -> Model {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("it is bound").port();
        let told = Arc::new(Mutex::new(BTreeMap::new()));
        let (script, heard) = (Arc::new(script), Arc::clone(&told));
        // It ends with the test's process.
        std::thread::spawn(move || {
            for connection in listener.incoming().flatten() {
                let (script, heard) = (Arc::clone(&script), Arc::clone(&heard));
                std::thread::spawn(move || serve(connection, &script, &heard));
            }
        });
        Model { port, told }
    }

    /// What the model was told after a step.
    pub(super) fn told(&self, step: usize) -> String {
        let told = self.told.lock().expect("no thread panicked");
        told.get(&step).cloned().unwrap_or_default()
    }
}

fn serve(mut connection: TcpStream, script: &[Call], told: &Mutex<BTreeMap<usize, String>>) {
    let Some((path, body)) = request(&connection) else {
        return;
    };
    let (kind, answer) = match Dialect::of(&path) {
        Some(dialect) => {
            let talk = dialect.read(&body);
            if let (true, Some(last)) = (talk.has_tools, talk.calls.checked_sub(1)) {
                let mut told = told.lock().expect("no thread panicked");
                told.insert(last, talk.since);
            }
            let next = script.get(talk.calls).filter(|_| talk.has_tools);
            dialect.write(talk.calls, next, &path, &body)
        }
        None => ("application/json", json!({"input_tokens": 1}).to_string()),
    };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        answer.len()
    );
    // A client that was ended does not listen any more.
    drop(connection.write_all(head.as_bytes()));
    drop(connection.write_all(answer.as_bytes()));
}

/// The path and the body of a request.
fn request(connection: &TcpStream) -> Option<(String, Value)> {
    let mut reader = BufReader::new(connection);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    let (mut length, mut chunked) = (0, false);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let line = line.trim().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        chunked |= line.starts_with("transfer-encoding:") && line.contains("chunked");
        if line.is_empty() {
            break;
        }
    }
    let mut body = Vec::new();
    if chunked {
        while let Some(chunk) = chunk(&mut reader) {
            body.extend(chunk);
        }
    } else {
        reader.take(length).read_to_end(&mut body).ok()?;
    }
    Some((path, serde_json::from_slice(&body).unwrap_or_default()))
}

fn chunk(reader: &mut impl BufRead) -> Option<Vec<u8>> {
    let mut line = String::new();
    reader.read_line(&mut line).ok()?;
    let size = usize::from_str_radix(line.trim(), 16).ok()?;
    let mut chunk = vec![0; size + 2];
    reader.read_exact(&mut chunk).ok()?;
    chunk.truncate(size);
    (size > 0).then_some(chunk)
}

/// What a request says.
struct Talk {
    calls: usize,
    /// Everything after the last call.
    since: String,
    /// Titles and summaries are asked for without tools.
    has_tools: bool,
}

#[derive(Clone, Copy)]
enum Dialect {
    Chat,
    Responses,
    Messages,
    Gemini,
}

impl Dialect {
    fn of(path: &str) -> Option<Dialect> {
        let path = path.split('?').next().unwrap_or(path);
        match path {
            _ if path.ends_with("/chat/completions") => Some(Dialect::Chat),
            _ if path.ends_with("/responses") => Some(Dialect::Responses),
            _ if path.ends_with("/messages") => Some(Dialect::Messages),
            _ if path.contains("enerateContent") => Some(Dialect::Gemini),
            _ => None,
        }
    }

    fn read(self, body: &Value) -> Talk {
        let list = match self {
            Dialect::Chat | Dialect::Messages => &body["messages"],
            Dialect::Responses => &body["input"],
            Dialect::Gemini => &body["contents"],
        };
        let items: Vec<&Value> = list.as_array().into_iter().flatten().collect();
        let is_call = |item: &&Value| self.is_call(item);
        let last = items.iter().rposition(is_call).map_or(0, |at| at + 1);
        let mut since = String::new();
        for item in items.iter().skip(last) {
            collect_text(item, &mut since);
        }
        Talk {
            calls: items
                .iter()
                .copied()
                .filter(|item| self.is_call(item))
                .count(),
            since,
            has_tools: matches!(self, Dialect::Responses)
                || body["tools"]
                    .as_array()
                    .is_some_and(|tools| !tools.is_empty()),
        }
    }

    fn is_call(self, item: &Value) -> bool {
        let any = |list: &Value, is: &dyn Fn(&Value) -> bool| {
            list.as_array().is_some_and(|parts| parts.iter().any(is))
        };
        match self {
            Dialect::Chat => !item["tool_calls"].is_null(),
            Dialect::Responses => item["type"]
                .as_str()
                .is_some_and(|kind| kind.ends_with("_call")),
            Dialect::Messages => any(&item["content"], &|part| part["type"] == "tool_use"),
            Dialect::Gemini => any(&item["parts"], &|part| !part["functionCall"].is_null()),
        }
    }

    fn write(
        self,
        step: usize,
        call: Option<&Call>,
        path: &str,
        body: &Value,
    ) -> (&'static str, String) {
        let streams = body["stream"] == true || path.contains("streamGenerateContent");
        let events = match self {
            Dialect::Chat => chat(step, call, streams),
            Dialect::Responses => responses(step, call, streams),
            Dialect::Messages => messages(step, call, streams),
            Dialect::Gemini => gemini(call, body),
        };
        if !streams {
            return (
                "application/json",
                events
                    .into_iter()
                    .map(|(_, data)| data.to_string())
                    .collect(),
            );
        }
        let mut text = String::new();
        for (name, data) in events {
            if !name.is_empty() {
                text.push_str(&format!("event: {name}\n"));
            }
            text.push_str(&format!("data: {data}\n\n"));
        }
        if matches!(self, Dialect::Chat) {
            text.push_str("data: [DONE]\n\n");
        }
        ("text/event-stream", text)
    }
}

fn collect_text(value: &Value, text: &mut String) {
    match value {
        Value::String(part) => {
            text.push_str(part);
            text.push('\n');
        }
        Value::Array(parts) => parts.iter().for_each(|part| collect_text(part, text)),
        Value::Object(fields) => fields.values().for_each(|part| collect_text(part, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

type Events = Vec<(&'static str, Value)>;

const LAST_WORD: &str = "that is all";

fn chat(step: usize, call: Option<&Call>, streams: bool) -> Events {
    let (reply, reason) = match call {
        None => (json!({"role": "assistant", "content": LAST_WORD}), "stop"),
        Some(call) => {
            let function = json!({"name": call.tool, "arguments": call.args.to_string()});
            let call = json!({"index": 0, "id": format!("call_{step}"), "type": "function", "function": function});
            (
                json!({"role": "assistant", "content": null, "tool_calls": [call]}),
                "tool_calls",
            )
        }
    };
    let usage = json!({"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2});
    let whole = |key: &str, reason: Option<&str>, part: Value| {
        json!({"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "usage": usage,
            "choices": [{"index": 0, key: part, "finish_reason": reason}]})
    };
    if streams {
        vec![
            ("", whole("delta", None, reply)),
            ("", whole("delta", Some(reason), json!({}))),
        ]
    } else {
        vec![("", whole("message", Some(reason), reply))]
    }
}

fn responses(step: usize, call: Option<&Call>, streams: bool) -> Events {
    let id = format!("call_{step}");
    let item = match call {
        None => json!({"type": "message", "id": "m", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": LAST_WORD, "annotations": []}]}),
        Some(Call {
            tool,
            args: Value::String(input),
        }) => json!({"type": "custom_tool_call", "id": format!("c{step}"),
            "call_id": id, "name": tool, "input": input, "status": "completed"}),
        Some(Call { tool, args }) => {
            json!({"type": "function_call", "id": format!("f{step}"), "call_id": id,
            "name": tool, "arguments": args.to_string(), "status": "completed"})
        }
    };
    let response = |output: Value| {
        json!({"id": "r", "object": "response", "created_at": 0, "model": "scripted", "status": "completed",
            "output": output, "usage": {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2,
            "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}})
    };
    if !streams {
        return vec![("", response(json!([item])))];
    }
    let event = |name: &'static str, number: usize, key: &str, value: Value| {
        (
            name,
            json!({"type": name, "sequence_number": number, "output_index": 0, key: value}),
        )
    };
    vec![
        event("response.created", 0, "response", response(json!([]))),
        event("response.output_item.added", 1, "item", item.clone()),
        event("response.output_item.done", 2, "item", item.clone()),
        event("response.completed", 3, "response", response(json!([item]))),
    ]
}

fn messages(step: usize, call: Option<&Call>, streams: bool) -> Events {
    let (block, begun, delta, reason) = match call {
        None => (
            json!({"type": "text", "text": LAST_WORD}),
            json!({"type": "text", "text": ""}),
            json!({"type": "text_delta", "text": LAST_WORD}),
            "end_turn",
        ),
        Some(call) => {
            let id = format!("toolu_{step}");
            (
                json!({"type": "tool_use", "id": id, "name": call.tool, "input": call.args}),
                json!({"type": "tool_use", "id": id, "name": call.tool, "input": {}}),
                json!({"type": "input_json_delta", "partial_json": call.args.to_string()}),
                "tool_use",
            )
        }
    };
    let message = |content: Value, reason: Value| {
        json!({"id": format!("msg_{step}"), "type": "message", "role": "assistant", "model": "scripted",
            "content": content, "stop_reason": reason, "stop_sequence": null,
            "usage": {"input_tokens": 1, "output_tokens": 1}})
    };
    if !streams {
        return vec![("", message(json!([block]), json!(reason)))];
    }
    let event = |name: &'static str, key: &str, value: Value| {
        (
            name,
            json!({"type": name, "index": 0, key: value, "usage": {"output_tokens": 1}}),
        )
    };
    vec![
        event("message_start", "message", message(json!([]), Value::Null)),
        event("content_block_start", "content_block", begun),
        event("content_block_delta", "delta", delta),
        event("content_block_stop", "stop", json!(true)),
        event(
            "message_delta",
            "delta",
            json!({"stop_reason": reason, "stop_sequence": null}),
        ),
        event("message_stop", "stop", json!(true)),
    ]
}

fn gemini(call: Option<&Call>, body: &Value) -> Events {
    // Before it starts the client asks which model to take, and now and then who is to speak next.
    let asks = body["generationConfig"]["responseMimeType"] == "application/json";
    let choice = json!({"reasoning": "-", "next_speaker": "user", "model_choice": "flash"});
    let part = match call {
        _ if asks => json!({"text": choice.to_string()}),
        None => json!({"text": LAST_WORD}),
        Some(call) => json!({"functionCall": {"name": call.tool, "args": call.args}}),
    };
    let candidate =
        json!({"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0});
    let usage = json!({"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2});
    vec![(
        "",
        json!({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}),
    )]
}
