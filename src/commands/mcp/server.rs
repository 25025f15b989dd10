//! The server: JSON-RPC on standard input and output. Every call starts the command it stands for,
//! so that it does exactly what the command line does, and several can be under way.

use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    GetPromptRequestParams, GetPromptResponse, GetPromptResult, Implementation, JsonObject,
    ListPromptsResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams, Prompt,
    PromptMessage, ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, Resource,
    ResourceContents, Role, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::stdio;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use rustix::process::{Pid, Signal};
use serde_json::{Value, json};
use tokio::process::Command;

use super::tools::{Row, TOOLS};
use crate::commands::open;
use crate::env_vars::MCP_MARK;
use crate::error::{Doing, Error, Result};
use crate::message::mcp as words;
use crate::this_process;

const STATE: &str = "tcr://state";
const RULES: &str = "tcr://rules";
const CYCLE: &str = "cycle";

/// Serves until the client closes its end.
pub(super) fn serve() -> Result<()> {
    let repo = open::repository()?;
    let here = |error| Error::io("start", Path::new("git-tcr"), error);
    let server = Server {
        program: this_process::program()?,
        root: repo.root().to_owned(),
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(here)?;
    let served = runtime.block_on(async {
        let running = server.serve(stdio()).await.doing("talk to the client")?;
        running.waiting().await.doing("talk to the client")
    });
    // A read from standard input can't be called off.
    runtime.shutdown_background();
    served.map(drop)
}

struct Server {
    program: PathBuf,
    root: PathBuf,
}

impl Server {
    /// Starts a command and waits for it. If the client calls the request off, the command is asked
    /// to stop: it ends its tests and touches nothing.
    async fn command(
        &self,
        line: &[String],
        context: &RequestContext<RoleServer>,
    ) -> std::result::Result<Output, ErrorData> {
        let failed = |error: std::io::Error| ErrorData::internal_error(error.to_string(), None);
        let child = Command::new(&self.program)
            .args(line)
            .current_dir(&self.root)
            .env(MCP_MARK, "1")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let process = child.id().and_then(|id| Pid::from_raw(id.cast_signed()));
        let ended = child.wait_with_output();
        tokio::pin!(ended);
        tokio::select! {
            output = &mut ended => return output.map_err(failed),
            () = context.ct.cancelled() => {}
        }
        if let Some(process) = process {
            // Gone already is as good.
            let _ = rustix::process::kill_process(process, Signal::TERM);
        }
        ended.await.map_err(failed)
    }

    async fn call(
        &self,
        row: &Row,
        arguments: &JsonObject,
        context: &RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResult, ErrorData> {
        let line = row
            .command_line(arguments)
            .map_err(|wrong| ErrorData::invalid_params(wrong, None))?;
        let output = self.command(&line, context).await?;
        Ok(match serde_json::from_slice::<Value>(&output.stdout) {
            Ok(value @ Value::Object(_)) if value["action"] != "error" => {
                CallToolResult::structured(value)
            }
            // The protocol wants an object.
            Ok(Value::Array(list)) => CallToolResult::structured(json!({"entries": list})),
            Ok(_) | Err(_) => {
                let said = String::from_utf8_lossy(&output.stderr);
                CallToolResult::error(vec![ContentBlock::text(said.trim_end())])
            }
        })
    }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        ServerConfig::new(capabilities)
            .with_server_info(Implementation::new("git-tcr", env!("CARGO_PKG_VERSION")))
            .with_instructions(words::instructions())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListToolsResult, ErrorData> {
        let tools = TOOLS.iter().map(Row::tool).collect();
        Ok(ListToolsResult::with_all_items(tools))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> std::result::Result<CallToolResponse, ErrorData> {
        let Some(row) = Row::find(&request.name) else {
            let unknown = format!("there is no tool `{}`", request.name);
            return Err(ErrorData::invalid_params(unknown, None));
        };
        let arguments = request.arguments.unwrap_or_default();
        self.call(row, &arguments, &context).await.map(Into::into)
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![
            Resource::new(STATE, "state")
                .with_description(words::STATE)
                .with_mime_type("application/json"),
            Resource::new(RULES, "rules")
                .with_description(words::RULES)
                .with_mime_type("text/markdown"),
        ]))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> std::result::Result<ReadResourceResponse, ErrorData> {
        let (text, kind) = match request.uri.as_str() {
            STATE => {
                let line = ["status".to_owned(), "--json".to_owned()];
                let output = self.command(&line, &context).await?;
                if !output.status.success() {
                    let said = String::from_utf8_lossy(&output.stderr).into_owned();
                    return Err(ErrorData::internal_error(said, None));
                }
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                (text, "application/json")
            }
            RULES => (words::rules(), "text/markdown"),
            unknown => {
                let unknown = format!("there is no resource `{unknown}`");
                return Err(ErrorData::resource_not_found(unknown, None));
            }
        };
        let contents = ResourceContents::text(text, request.uri).with_mime_type(kind);
        Ok(ReadResourceResult::new(vec![contents]).into())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<ListPromptsResult, ErrorData> {
        let cycle = Prompt::new(CYCLE, Some(words::CYCLE), None);
        Ok(ListPromptsResult::with_all_items(vec![cycle]))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> std::result::Result<GetPromptResponse, ErrorData> {
        if request.name != CYCLE {
            let unknown = format!("there is no prompt `{}`", request.name);
            return Err(ErrorData::invalid_params(unknown, None));
        }
        let message = PromptMessage::new_text(Role::User, words::cycle());
        Ok(GetPromptResult::new(vec![message])
            .with_description(words::CYCLE)
            .into())
    }
}
