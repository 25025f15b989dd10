// Follows the text of the plugin: asks it what it makes of a write to the file named as argument.
const nothing = { tui: { showToast() {} }, session: { get: async () => ({}) } }
const hooks = await GitTcr({ client: nothing, directory: process.cwd() })
const call = { tool: "write", sessionID: "git-tcr-doctor", callID: "git-tcr-doctor" }
try {
  const args = { filePath: process.argv[2], content: "enabled = false\n" }
  await hooks["tool.execute.before"]?.(call, { args })
  console.log("allowed")
} catch (error) {
  console.log(JSON.stringify({ deny: error.message }))
}
