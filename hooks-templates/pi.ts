// git-tcr: put here by `git tcr install`, taken away by `git tcr uninstall`; edits are undone.
// No import from npm: the extension must load without a network.
import { spawn, spawnSync } from "node:child_process"
import type { ExtensionAPI } from "@mariozechner/pi-coding-agent" // erased when it is loaded

const GATE_MS = @GATE_MS@
const LOOP_MS = @LOOP_MS@
const MISSING = "@MISSING@"

type Done = { code: number | null; out: string; err: string; missing?: boolean }
type Reply = { decision: string; reason?: string; tell?: string; person?: string }

export default function (pi: ExtensionAPI) {
  if (process.env.GIT_TCR === "off") return

  const news: string[] = [] // what the model has not been told yet
  let goesOn = false // the turn goes on because of an answer to its end

  const isInstalled = (cwd: string) =>
    spawnSync("git", ["rev-parse", "-q", "--verify", "refs/tcr/config"], { cwd }).status === 0

  const run = (args: string[], cwd: string, input: string, timeout: number) =>
    new Promise<Done>((resolve) => {
      const child = spawn("git-tcr", args, { cwd, timeout, killSignal: "SIGKILL" })
      let out = ""
      let err = ""
      child.stdout.on("data", (data) => (out += data))
      child.stderr.on("data", (data) => (err += data))
      child.on("error", (error: NodeJS.ErrnoException) => resolve({ missing: error.code === "ENOENT", code: -1, out, err: String(error) }))
      child.on("close", (code) => resolve({ code, out, err }))
      child.stdin.on("error", () => {}) // it may decide before it has read everything
      child.stdin.end(input)
    })

  const deny = (reason: string): Reply => ({ decision: "deny", reason })

  // The reply of `git tcr`; what can't be had is a denial.
  const ask = async (command: string, ctx: any, message: object): Promise<Reply> => {
    const payload = { ...message, cwd: ctx.cwd, session: ctx.sessionManager.getSessionId() }
    const timeout = command === "gate" ? GATE_MS : LOOP_MS
    const done = await run([command, "--client", "pi"], ctx.cwd, JSON.stringify(payload), timeout)
    if (done.missing) return isInstalled(ctx.cwd) ? deny(MISSING) : { decision: "allow" }
    try {
      const reply = JSON.parse(done.out)
      if (reply.person && ctx.hasUI) ctx.ui.notify(reply.person, "warning")
      return reply
    } catch {
      return done.code === 0 && !done.out ? { decision: "allow" } : deny(`tcr: \`git tcr ${command}\` failed\n${done.err}`)
    }
  }

  const said = (reply: Reply) => reply.tell ?? reply.reason

  const remember = (text?: string) => {
    if (text) news.push(text)
  }

  const take = () => news.splice(0).join("\n\n")

  pi.on("session_start", async (_event, ctx) => {
    remember(said(await ask("session", ctx, { event: "session_start" })))
  })

  pi.on("before_agent_start", async (_event, ctx) => {
    goesOn = false
    remember(said(await ask("session", ctx, { event: "prompt" })))
    const content = take()
    return content ? { message: { customType: "git-tcr", content, display: false } } : undefined
  })

  pi.on("tool_call", async (event, ctx) => {
    const message = { event: "before_tool", call: event.toolCallId, tool: event.toolName, input: event.input }
    const reply = await ask("gate", ctx, message)
    return reply.decision === "deny" ? { block: true, reason: reply.reason } : undefined
  })

  pi.on("tool_result", async (event, ctx) => {
    const error = event.isError ? "the tool failed" : undefined
    const message = { event: "after_tool", call: event.toolCallId, tool: event.toolName, input: event.input, error }
    const text = said(await ask("loop", ctx, message))
    return text ? { content: [...event.content, { type: "text", text }] } : undefined
  })

  pi.on("agent_end", async (_event, ctx) => {
    const reply = await ask("session", ctx, { event: "turn_end", again: goesOn })
    goesOn = reply.decision === "go_on"
    if (!goesOn) return remember(said(reply))
    const message = { customType: "git-tcr", content: reply.reason ?? "", display: true }
    pi.sendMessage(message, { triggerTurn: true, deliverAs: "followUp" })
  })
}
