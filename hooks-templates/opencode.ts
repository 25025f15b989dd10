// git-tcr: put here by `git tcr install`, taken away by `git tcr uninstall`; edits are undone.
// One export, and no import from npm: the plugin must load without a network.
import { spawn, spawnSync } from "node:child_process"
import { accessSync, constants, readFileSync, statSync } from "node:fs"
import type { Plugin } from "@opencode-ai/plugin" // erased when it is loaded

const GATE_MS = @GATE_MS@
const LOOP_MS = @LOOP_MS@
const MISSING = "@MISSING@"

type Done = { code: number | null; out: string; err: string; missing?: boolean }
type Reply = { deny?: string; tell?: string; person?: string }

export const GitTcr: Plugin = async ({ client, directory }) => {
  if (process.env.GIT_TCR === "off") return {}

  const parents = new Map<string, string | undefined>() // a sub-agent's session: its parent's
  const agents = new Map<string, string>() // a session: the agent that works in it
  const texts = new Map<string, string>() // a session: what its model has to know from the start
  const news = new Map<string, string>() // a session: what its model has not been told yet
  const heard = new Set<string>() // sessions whose model is told by its system prompt
  const running = new Set<Promise<void>>() // ends of turns

  const isInstalled = () =>
    spawnSync("git", ["rev-parse", "-q", "--verify", "refs/tcr/config"], { cwd: directory }).status === 0

  // The program that was installed; another one of its name that comes first on PATH is none of ours.
  const program = () => {
    try {
      const git = `${directory}/.git`
      const folder = statSync(git).isFile() ? readFileSync(git, "utf8").replace(/^gitdir: /, "").trim() : git
      const path = readFileSync(`${folder}/tcr/program`, "utf8").trim()
      accessSync(path, constants.X_OK)
      return path
    } catch {
      return "git-tcr"
    }
  }

  const run = (args: string[], input: string, timeout: number) =>
    new Promise<Done>((resolve) => {
      const env = { ...process.env, OPENCODE: "1" }
      const child = spawn(program(), args, { cwd: directory, env, timeout, killSignal: "SIGKILL" })
      let out = ""
      let err = ""
      child.stdout.on("data", (data) => (out += data))
      child.stderr.on("data", (data) => (err += data))
      child.on("error", (error: NodeJS.ErrnoException) => resolve({ missing: error.code === "ENOENT", code: -1, out, err: String(error) }))
      child.on("close", (code) => resolve({ code, out, err }))
      child.stdin.on("error", () => {}) // it may decide before it has read everything
      child.stdin.end(input)
    })

  // The reply of `git tcr`; what can't be had is a denial.
  const ask = async (command: string, session: string, message: object): Promise<Reply> => {
    const payload = { ...message, directory, parent: parents.get(session), agent: agents.get(session) }
    const timeout = command === "gate" ? GATE_MS : LOOP_MS
    const done = await run([command, "--client", "opencode"], JSON.stringify(payload), timeout)
    if (done.missing) return isInstalled() ? { deny: MISSING } : {}
    if (done.code !== 0) return { deny: `tcr: \`git tcr ${command}\` failed\n${done.err}` }
    try {
      const reply = JSON.parse(done.out || "{}")
      if (reply.person) await show(reply.person)
      return reply
    } catch {
      return { deny: `tcr: \`git tcr ${command}\` gave no answer\n${done.out}` }
    }
  }

  const show = async (message: string) => {
    try {
      await client.tui.showToast({ body: { title: "git tcr", message, variant: "warning" } })
    } catch {} // without a screen
  }

  const said = (reply: Reply) => reply.tell ?? reply.deny

  const remember = (session: string, text?: string) => {
    if (text) news.set(session, [news.get(session), text].filter(Boolean).join("\n\n"))
  }

  const take = (session: string) => {
    const text = news.get(session)
    news.delete(session)
    return text
  }

  // What the system prompt should have said, where there is none of ours.
  const untold = (session: string) => {
    if (heard.has(session)) return
    heard.add(session)
    return [texts.get(session), take(session)].filter(Boolean).join("\n\n")
  }

  // Events may be late, and are not repeated when the client starts again.
  const learnParent = async (session: string) => {
    if (parents.has(session)) return
    try {
      const { data } = await client.session.get({ path: { id: session } })
      if (data) parents.set(session, data.parentID)
    } catch {}
  }

  const start = async (session: string) => {
    if (texts.has(session)) return
    texts.set(session, "")
    const event = { type: "session.created", properties: { sessionID: session } }
    texts.set(session, said(await ask("session", session, { hook: "event", event })) ?? "")
  }

  const own = (description: string, args: string[]) => ({
    description,
    args: {},
    execute: async () => {
      const done = await run(args, "", LOOP_MS)
      return done.missing ? MISSING : [done.out, done.err].filter(Boolean).join("\n") || "done"
    },
  })

  return {
    event: async ({ event }) => {
      const session = event.properties?.sessionID
      if (event.type === "session.created") parents.set(session, event.properties?.info?.parentID)
      if (event.type === "session.idle") {
        // Not awaited by the client: `dispose` waits for it.
        const turn = ask("session", session, { hook: "event", event }).then((reply) => remember(session, said(reply)))
        running.add(turn)
        turn.finally(() => running.delete(turn))
      }
    },

    "chat.message": async (input, output) => {
      const session = input.sessionID
      const agent = input.agent ?? output?.message?.agent
      if (agent) agents.set(session, agent)
      await Promise.all([learnParent(session), ...running])
      await start(session)
      remember(session, said(await ask("session", session, { hook: "chat.message", input: { sessionID: session } })))
    },

    "experimental.chat.system.transform": async (input, output) => {
      heard.add(input.sessionID)
      const told = [texts.get(input.sessionID), take(input.sessionID)]
      output.system.push(...told.filter(Boolean))
    },

    "tool.execute.before": async (input, output) => {
      const call = { tool: input.tool, sessionID: input.sessionID, callID: input.callID }
      const message = { hook: "tool.execute.before", input: call, output: { args: output.args } }
      const { deny } = await ask("gate", input.sessionID, message)
      if (deny) throw new Error(deny)
    },

    "tool.execute.after": async (input, output) => {
      const call = { tool: input.tool, sessionID: input.sessionID, callID: input.callID, args: input.args }
      const reply = await ask("loop", input.sessionID, { hook: "tool.execute.after", input: call })
      const text = [said(reply), untold(input.sessionID)].filter(Boolean).join("\n\n")
      if (!text) return
      if (typeof output.output === "string") output.output += `\n\n${text}`
      else if (Array.isArray(output.content)) output.content.push({ type: "text", text })
      else remember(input.sessionID, text)
    },

    tool: {
      tcr_status: own("Phase, mode, last test result, and what may be written now.", ["status"]),
      tcr_run: own("Runs the tests and acts as git tcr does after an edit: commits green, reverts red.", ["run"]),
      tcr_squash: own("Shows what the squashed commit would be. Squashing is the person's.", ["squash", "--dry-run"]),
    },

    dispose: async () => {
      await Promise.all(running)
    },
  }
}
