// Made by "hookline bridge install opencode"; "hookline bridge uninstall opencode" takes it out again.
import { spawn } from 'node:child_process'

/** The program that is asked, and what becomes of a call where there is none: "refuse" or "pass". */
const PROGRAM = 'hookline'
const IF_MISSING = 'refuse'
/** The exit code by which hookline is known from another program of its name. */
const PROOF = 86

/** Asks the hooks about an event; rejects when they cannot be asked. */
function ask(event, payload) {
  return new Promise((resolve, reject) => {
    const child = spawn(PROGRAM, ['bridge', 'run', 'opencode', event, '--proof'], { stdio: ['pipe', 'pipe', 'ignore'] })
    const chunks = []
    child.on('error', (error) => {
      if (IF_MISSING === 'pass' && error.code === 'ENOENT') resolve({})
      else reject(new Error(`${PROGRAM} cannot be started, so no hook could be asked about this.`))
    })
    child.stdin.on('error', () => {}) // the program has ended, and its answer says why
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.on('close', (code) => {
      try {
        if (code !== PROOF) throw new Error(`exit code ${code}`)
        const answer = JSON.parse(Buffer.concat(chunks).toString('utf8'))
        if (typeof answer !== 'object' || answer === null) throw new Error('no object')
        resolve(answer)
      } catch (error) {
        reject(new Error(`hookline gave no answer, so no hook could be asked about this (${error.message}).`))
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

/** For events at which no call waits for the answer: what cannot be asked is left. */
const tell = (event, payload) => ask(event, payload).catch(() => ({}))

/** The words of what a tool of an MCP server gave. */
const joinText = (content) => (Array.isArray(content) ? content.flatMap(({ text }) => text ?? []).join('\n') : '')
const listOthers = (content) => content.filter(({ type }) => type !== 'text')

export const Hookline = async ({ client, directory }) => {
  const cwd = directory
  const atStart = new Map() // texts for the system prompt, by session
  let variables = {} // set by hooks for shell commands
  const withOutput = new Map() // texts for the output of a call, by its id
  const abort = (sessionID) => client.session.abort({ path: { id: sessionID } }).catch(() => {})
  const origins = new Map() // the session of the user, and the subagent, by session
  const learn = async (info) =>
    info?.parentID
      ? { sessionID: (await findOrigin(info.parentID)).sessionID, agentID: info.id, agentType: info.agent ?? '' }
      : null
  const findOrigin = async (sessionID) => {
    const known = origins.get(sessionID)
    if (known) return known
    const { data } = await client.session.get({ path: { id: sessionID } }).catch(() => ({}))
    const origin = (await learn(data)) ?? { sessionID }
    if (data) origins.set(sessionID, origin)
    return origin
  }
  const showToast = (message) => message && client.tui.showToast({ body: { message, variant: 'info' } }).catch(() => {})

  return {
    'tool.execute.before': async (input, output) => {
      const said = await ask('tool.execute.before', {
        ...input,
        ...(await findOrigin(input.sessionID)),
        args: output.args,
        cwd,
      })
      showToast(said.toast)
      if (said.abort) await abort(input.sessionID)
      if (typeof said.refuse === 'string') throw new Error(said.refuse)
      if (said.args) {
        for (const name of Object.keys(output.args)) if (!(name in said.args)) delete output.args[name]
        Object.assign(output.args, said.args)
      }
      if (said.append) withOutput.set(input.callID, said.append)
    },

    'tool.execute.after': async (input, output) => {
      const { output: text = joinText(output.content), metadata } = output
      const origin = await findOrigin(input.sessionID)
      const call = { ...input, ...origin, args: input.args ?? {}, output: text, metadata, cwd }
      const said = await tell('tool.execute.after', call)
      showToast(said.toast)
      if (said.abort) await abort(input.sessionID)
      const added = [withOutput.get(input.callID), said.append].filter(Boolean)
      if (typeof said.output === 'string' || added.length > 0) {
        const all = [said.output ?? text, ...added].join('\n')
        if (Array.isArray(output.content)) output.content = [{ type: 'text', text: all }, ...listOthers(output.content)]
        else output.output = all
      }
      withOutput.delete(input.callID)
    },

    'chat.message': async (input, output) => {
      const parts = output.parts.filter(({ type }) => type === 'text')
      const said = await tell('chat.message', { ...(await findOrigin(input.sessionID)), parts, cwd })
      showToast(said.toast)
      if (typeof said.refuse === 'string') throw new Error(said.refuse)
      const [first] = parts
      if (said.append && first) first.text += `\n\n${said.append}`
    },

    'experimental.chat.system.transform': async (input, output) => {
      const text = atStart.get(input.sessionID) ?? atStart.get('')
      if (text) output.system.push(text)
    },

    'shell.env': async (_input, output) => {
      Object.assign(output.env, variables)
    },

    'experimental.session.compacting': async (input) => {
      await tell('session.compacting', { ...(await findOrigin(input.sessionID)), cwd })
    },

    event: async ({ event: { type, properties } }) => {
      const sessionID = properties?.sessionID ?? properties?.info?.id ?? ''
      if (type === 'session.created') {
        origins.set(sessionID, (await learn(properties?.info)) ?? { sessionID })
        const said = await tell(type, { ...origins.get(sessionID), cwd })
        showToast(said.toast)
        if (said.append) atStart.set(sessionID, said.append)
        if (said.env) variables = { ...variables, ...said.env }
      }
      if (type === 'session.idle' || type === 'session.compacted' || type === 'session.deleted') {
        showToast((await tell(type, { ...(await findOrigin(sessionID)), cwd })).toast)
      }
    },
  }
}
