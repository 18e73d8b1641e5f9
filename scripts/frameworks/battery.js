// What hooks have to be able to do in every framework: 23 cases, written once. Each adapter joins with a driver: drivers/NAME.js.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openEngine } from 'hookline'
import { guards } from 'hookline/guards'
import { startModelServer } from 'hookline/testing'
import * as z from 'zod'

/**
 * @typedef {import('hookline/tools').TurnOptions} HookOptions
 *
 * A tool as every framework gets it: the driver makes one of its own kind of it.
 *
 * @typedef {object} NeutralTool
 * @property {string} description
 * @property {import('zod').ZodObject} schema
 * @property {(input: any) => unknown} run
 *
 * What a driver is given. The model is at `env`, and speaks all protocols.
 * @typedef {object} Host
 * @property {import('hookline').AnyEngine} engine
 * @property {((thread: string) => import('hookline').AnyEngine) | null} engineFor where threads share an agent, and `run` names one
 * @property {boolean} streamed whether the framework streams
 * @property {boolean} hooked false: the agent is made without hooks, to see what the framework does by itself
 * @property {import('hookline/testing').ModelServerEnvironment} env
 * @property {Record<string, NeutralTool>} tools
 * @property {HookOptions} options what the adapter takes: `onAsk`, `onNotice`, `names`, `maxStopBlocks`, `agent`, `signal`
 * @property {string} root a temporary folder, with `home` and `project` in it
 *
 * How a turn ended. `answer` is there when calls wait for the user, and resolves with how it went on.
 * @typedef {object} End
 * @property {'answered' | 'blocked' | 'halted' | 'waiting'} ended
 * @property {string} [text]
 * @property {string} [reason]
 * @property {(allow: boolean) => Promise<End>} [answer]
 *
 * @typedef {{ run(prompt: string, thread?: string): Promise<End> }} Loop
 *
 * One loop of the framework, with hooks. An abort rejects `run`.
 * @typedef {object} Driver
 * @property {(host: Host) => Loop | Promise<Loop>} open
 * @property {Record<string, string>} cannot cases that the framework cannot express, and why
 * @property {Record<string, () => unknown>} outputs what tools of the framework may give, or throw, by a name
 * @property {Record<string, Case>} [cases] further ones, about what this framework alone has
 * @property {RegExp} [failureWords] what the model reads of a tool that throws, where the framework does not tell it the message
 * @property {string} [prefix] what the framework puts before the names of tools, as the model knows them
 */

const light = (/** @type {string[]} */ ran) => ({
  description: 'Lights a lamp.',
  schema: z.object({ room: z.string() }),
  run: (/** @type {{ room: string }} */ { room }) => {
    ran.push(room)
    if (room === 'attic') throw new Error('there is no lamp')
    return `the ${room} is lit`
  },
})

const shell = (/** @type {string[]} */ ...commands) => ({
  hooks: commands.map((command) => ({ type: 'command', command })),
})
const says = (/** @type {object} */ answer) => `printf '%s' '${JSON.stringify(answer)}'`
const pre = (/** @type {object} */ fields) => says({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...fields } })
const lamp = (/** @type {string[]} */ ...rooms) => ({
  tools: rooms.map((room) => ({ name: 'light', input: { room } })),
})
const DONE = { text: 'Done.' }

/**
 * A project with hooks, a model that follows a script, and a loop of the framework.
 *
 * @param {Driver} driver
 * @param {object} hooks
 * @param {import('hookline/testing').ModelScript} script
 * @param {{ options?: HookOptions, tools?: Record<string, NeutralTool>, trust?: 'accepted' | 'stored', streamed?: boolean, hooked?: boolean, threads?: readonly string[] }} [more]
 */
async function openScene(driver, hooks, script, more = {}) {
  const { options = {}, tools = {}, trust = 'accepted', streamed = false, hooked = true, threads = [] } = more
  const root = mkdtempSync(join(tmpdir(), 'hookline-battery-'))
  for (const folder of ['home', 'project/.claude']) mkdirSync(join(root, folder), { recursive: true })
  writeFileSync(join(root, 'project/.claude/settings.json'), JSON.stringify({ hooks }))
  const { prefix = '' } = driver
  const prefixed = (/** @type {import('hookline/testing').ModelAnswer} */ one) => {
    if (!('tools' in one) || one.tools === undefined) return one
    return { ...one, tools: one.tools.map((call) => ({ ...call, name: `${prefix}${call.name}` })) }
  }
  const called = typeof script === 'function' ? script : script.map(prefixed)
  const server = await startModelServer(called, { otherPaths: 'empty' })
  const places = { project: join(root, 'project'), home: join(root, 'home'), managed: join(root, 'none.json') }
  const engine = await openEngine({ ...places, trust })
  const engines = new Map(
    await Promise.all(
      threads.map(
        async (sessionId) => /** @type {const} */ ([sessionId, await openEngine({ ...places, trust, sessionId })]),
      ),
    ),
  )
  /** @type {string[]} */
  const ran = []
  /** @type {string[]} */
  const told = []
  /** @type {Host} */
  const host = {
    engine,
    engineFor: threads.length === 0 ? null : (thread) => engines.get(thread) ?? engine,
    streamed,
    hooked,
    env: server.env,
    tools: { light: light(ran), ...tools },
    options: { onNotice: (text) => told.push(text), ...options },
    root,
  }
  const loop = await driver.open(host)
  return {
    host,
    /** The rooms that were lit. */
    ran,
    /** What the user was told. */
    told,
    server,
    run: (prompt = 'Go', /** @type {string | undefined} */ thread = undefined) => loop.run(prompt, thread),
    /** Another loop with the same model, for a subagent. */
    open: (/** @type {HookOptions} */ more) =>
      driver.open({ ...host, tools: { light: light(ran) }, options: { ...host.options, ...more } }),
    /** What the model was sent with a request, the last one by default. */
    sent: (at = server.requests.length - 1) => JSON.stringify(server.requests[at]?.body ?? null).replaceAll(prefix, ''),
    /** What a hook wrote into a file of the project. */
    written: (/** @type {string} */ name) => {
      const path = join(root, 'project', name)
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    },
    close: async () => {
      for (const one of [engine, ...engines.values()]) await one.close()
      await server.close()
      rmSync(root, { recursive: true, force: true, maxRetries: 3 })
    },
  }
}

/** @typedef {Awaited<ReturnType<typeof openScene>>} Scene */

/** @param {number} pid */
function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * What the model was sent of a call whose tool does this, by the framework alone and with hooks.
 *
 * @param {Open} open
 * @param {object} hooks
 * @param {() => unknown} run
 */
async function compareRuns(open, hooks, run) {
  const tools = { light: { ...light([]), run } }
  const scenes = [
    await open({}, [lamp('hall'), DONE], { tools, hooked: false }),
    await open(hooks, [lamp('hall'), DONE], { tools }),
  ]
  for (const scene of scenes) await scene.run()
  return scenes.map(resultsIn)
}

/**
 * The results of calls in the last request, in the protocol of OpenAI.
 *
 * @param {Scene} scene
 * @returns {object[]}
 */
function resultsIn({ server }) {
  const { messages = [] } = /** @type {any} */ (server.requests.at(-1)?.body ?? {})
  const from = messages.findIndex((/** @type {any} */ { role }) => role === 'tool')
  assert.ok(from > 0, 'the model was sent no result')
  return messages.slice(from)
}

/**
 * Every text in a value, but for names and ids.
 *
 * @param {unknown} value
 * @returns {string[]}
 */
function textsIn(value) {
  if (typeof value === 'string') return value.startsWith('[{') ? textsIn(JSON.parse(value)) : [value] // providers write blocks as text
  const named = Object.entries(Object(value)).filter(
    ([name]) => !['role', 'type', 'name', 'tool_call_id'].includes(name),
  )
  return named.flatMap(([, inner]) => textsIn(inner))
}

/**
 * Opens a scene for a case.
 *
 * @typedef {(hooks: object, script: import('hookline/testing').ModelScript, more?: Parameters<typeof openScene>[3]) => Promise<Scene>} Open
 */

/** @typedef {(open: Open, driver: Driver) => Promise<void>} Case */

/** @type {Record<string, Case>} */
export const CASES = {
  deny: async (open) => {
    const scene = await open({ PreToolUse: [shell('echo too bright >&2; exit 2')] }, [lamp('hall'), DONE])
    const end = await scene.run()
    assert.deepEqual([end.ended, end.text, scene.ran], ['answered', 'Done.', []])
    assert.match(scene.sent(), /PreToolUse:light hook error: .*too bright/)
  },

  'ask now': async (open) => {
    const onAsk = (/** @type {{ input: any }} */ { input }) => input.room === 'hall'
    const asks = { PreToolUse: [shell(pre({ permissionDecision: 'ask' }))] }
    const scene = await open(asks, [lamp('hall', 'cellar'), DONE], { options: { onAsk } })
    const end = await scene.run()
    assert.deepEqual([end.ended, scene.ran], ['answered', ['hall']])
    assert.match(scene.sent(), /The user did not allow light here/)
  },

  'ask later': async (open) => {
    const asks = {
      PreToolUse: [shell(`echo pre >>seen; ${pre({ permissionDecision: 'ask', updatedInput: { room: 'cellar' } })}`)],
      PermissionRequest: [shell('echo dialog >>seen')],
    }
    for (const allow of [true, false]) {
      const scene = await open(asks, [lamp('hall'), DONE])
      const end = await scene.run()
      assert.deepEqual([end.ended, scene.ran, scene.server.requests.length], ['waiting', [], 1])
      const after = await end.answer?.(allow)
      assert.deepEqual([after?.ended, after?.text, scene.ran], ['answered', 'Done.', allow ? ['cellar'] : []])
      assert.equal(scene.written('seen'), 'pre\ndialog\n')
    }
  },

  rewrite: async (open) => {
    const scene = await open({ PreToolUse: [shell(pre({ updatedInput: { room: 'cellar' } }))] }, [lamp('hall'), DONE])
    await scene.run()
    assert.deepEqual(scene.ran, ['cellar'])
    assert.match(scene.sent(), /the cellar is lit/)
  },

  'rewrite that does not fit': async (open) => {
    const scene = await open({ PreToolUse: [shell(pre({ updatedInput: { room: 7 } }))] }, [lamp('hall'), DONE])
    assert.equal((await scene.run()).ended, 'answered')
    assert.deepEqual(scene.ran, [])
    assert.match(scene.sent(), /A hook rewrote the input, and light cannot be called so/)
  },

  'post block': async (open) => {
    const scene = await open({ PostToolUse: [shell('echo moths >&2; exit 2')] }, [lamp('hall'), DONE])
    await scene.run()
    assert.deepEqual(scene.ran, ['hall'])
    assert.match(scene.sent(), /the hall is lit/)
    assert.match(scene.sent(), /PostToolUse:light hook blocking error: .*moths/)
  },

  context: async (open) => {
    const scene = await open({ PreToolUse: [shell(pre({ additionalContext: 'It is night.' }))] }, [lamp('hall'), DONE])
    await scene.run()
    assert.match(scene.sent(), /the hall is lit/)
    assert.match(scene.sent(), /PreToolUse:light hook additional context: It is night\./)
  },

  failure: async (open, { failureWords = /there is no lamp/ }) => {
    const answer = { hookSpecificOutput: { hookEventName: 'PostToolUseFailure', additionalContext: 'Try the hall.' } }
    const scene = await open({ PostToolUseFailure: [shell(`cat >seen; ${says(answer)}`)] }, [lamp('attic'), DONE])
    assert.equal((await scene.run()).ended, 'answered')
    assert.match(JSON.parse(scene.written('seen')).error, /there is no lamp/)
    assert.match(scene.sent(), failureWords)
    assert.match(scene.sent(), /Try the hall\./)
  },

  'silence changes nothing': async (open, { outputs }) => {
    const events = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure']
    const silent = Object.fromEntries(events.map((name) => [name, [shell('true')]]))
    for (const [name, run] of Object.entries(outputs)) {
      const [plain, hooked] = await compareRuns(open, silent, run)
      assert.deepEqual(hooked, plain, name)
    }
  },

  'a context is one text more': async (open, { outputs }) => {
    const hooks = { PreToolUse: [shell(pre({ additionalContext: 'It is night.' }))] }
    for (const [name, run] of Object.entries(outputs)) {
      const [before, after] = (await compareRuns(open, hooks, run)).map(textsIn)
      const said = after?.filter((text) => text.includes('It is night.'))
      assert.equal(said?.length, 1, `${name}: ${JSON.stringify(after)}`)
      const lost = before?.filter((text) => !after?.some((one) => one.includes(text)))
      assert.deepEqual(lost, [], `${name}: ${JSON.stringify(after)}`)
    }
  },

  'two threads': async (open) => {
    const halting = { matcher: 'tool_input.room == "hall"', ...shell(says({ continue: false, stopReason: 'Enough' })) }
    const hooks = {
      PreToolUse: [halting, shell(`grep -o 'session_id.:.[a-z]*' >>seen`)],
      SessionStart: [shell('echo x >>started')],
    }
    const scene = await open(
      hooks,
      ({ body }) => {
        const said = JSON.stringify(body)
        if (said.includes('is lit')) return DONE
        return lamp(said.includes('Light the hall') ? 'hall' : 'cellar')
      },
      { threads: ['one', 'other'] },
    )
    const ends = await Promise.all([scene.run('Light the hall', 'one'), scene.run('Light the cellar', 'other')])
    assert.deepEqual(
      ends.map(({ ended, reason, text }) => [ended, reason ?? text]),
      [
        ['halted', 'Enough'],
        ['answered', 'Done.'],
      ],
    )
    assert.deepEqual(scene.ran, ['cellar'])
    assert.deepEqual(
      scene
        .written('seen')
        .match(/one|other/g)
        ?.sort(),
      ['one', 'other'],
    )
    assert.equal(scene.written('started'), 'x\nx\n')
  },

  redact: async (open) => {
    const search = { description: 'Searches.', schema: z.object({ for: z.string() }), run: () => 'the key is sesame' }
    const hidden = { hookSpecificOutput: { hookEventName: 'PostToolUse', updatedMCPToolOutput: 'the key is hidden' } }
    const script = [{ tools: [{ name: 'search', input: { for: 'keys' } }] }, DONE]
    const names = { search: { mcp: true } }
    const scene = await open({ PostToolUse: [shell(says(hidden))] }, script, { tools: { search }, options: { names } })
    await scene.run()
    assert.match(scene.sent(), /the key is hidden/)
    assert.doesNotMatch(scene.sent(), /sesame/)
  },

  'prompt context': async (open) => {
    const scene = await open({ UserPromptSubmit: [shell('echo It is night.')] }, [DONE])
    assert.equal((await scene.run()).text, 'Done.')
    assert.match(scene.sent(0), /UserPromptSubmit hook success: It is night\./)
  },

  'prompt block': async (open) => {
    const scene = await open({ UserPromptSubmit: [shell('echo not today >&2; exit 2')] }, [DONE])
    const end = await scene.run()
    assert.deepEqual([end.ended, scene.server.requests.length], ['blocked', 0])
    assert.match(end.reason ?? '', /not today/)
  },

  'session start': async (open) => {
    const scene = await open({ SessionStart: [shell('echo Branch: main; echo x >>seen')] }, [DONE, DONE])
    await scene.run()
    assert.match(scene.sent(0), /SessionStart:startup hook success: Branch: main/)
    await scene.run()
    assert.equal(scene.written('seen'), 'x\n')
  },

  'stop block with cap': async (open) => {
    const stop = `grep -o 'stop_hook_active.:[a-z]*' >>seen; echo run the tests >&2; exit 2`
    const script = [lamp('hall'), DONE, DONE, DONE, DONE]
    const scene = await open({ Stop: [shell(stop)] }, script, { options: { maxStopBlocks: 2 } })
    const end = await scene.run()
    assert.deepEqual([end.ended, end.text, scene.server.requests.length], ['answered', 'Done.', 4])
    for (const at of [2, 3]) assert.match(scene.sent(at), /the hall is lit.*Stop hook feedback:.*run the tests/)
    assert.deepEqual(scene.written('seen').match(/true|false/g), ['false', 'true', 'true'])
    assert.match(scene.told.join('\n'), /2 times in a row/)
  },

  halt: async (open) => {
    const scene = await open({ PreToolUse: [shell(says({ continue: false, stopReason: 'Enough' }))] }, [
      lamp('hall'),
      DONE,
    ])
    const end = await scene.run()
    assert.deepEqual([end.ended, end.reason, scene.ran, scene.server.requests.length], ['halted', 'Enough', [], 1])
  },

  'halt in a batch': async (open) => {
    const halting = {
      matcher: 'tool_input.room == "hall"',
      ...shell(`sleep 0.2; ${says({ continue: false, stopReason: 'Enough' })}`),
    }
    for (const rooms of [
      ['cellar', 'hall', 'kitchen'],
      ['hall', 'cellar'],
    ]) {
      const scene = await open({ PreToolUse: [halting] }, [lamp(...rooms), DONE])
      const end = await scene.run()
      assert.deepEqual([end.ended, end.reason, scene.ran, scene.server.requests.length], ['halted', 'Enough', [], 1])
    }
  },

  subagents: async (open) => {
    const answer = { hookSpecificOutput: { hookEventName: 'SubagentStart', additionalContext: 'Look in the attic.' } }
    const hooks = {
      SubagentStart: [{ matcher: 'scout', ...shell(says(answer)) }],
      SubagentStop: [shell(`grep -q 'stop_hook_active.:true' && exit 0; echo look again >&2; exit 2`)],
      PreToolUse: [{ matcher: 'light', ...shell(`grep -o 'agent_id.:.[a-z0-9-]*' >>seen`) }],
    }
    const task = { tools: [{ name: 'delegate', input: { task: 'Find the lamp.' } }] }
    const script = [task, lamp('hall'), { text: 'Found.' }, { text: 'Found again.' }, DONE]
    /** @type {Scene} */
    const scene = await open(hooks, script, {
      tools: {
        delegate: {
          description: 'Lets a scout do it.',
          schema: z.object({ task: z.string() }),
          run: async (/** @type {{ task: string }} */ { task: prompt }) => {
            const loop = await scene.open({ agent: { id: 'agent-7', type: 'scout' } })
            return (await loop.run(prompt)).text
          },
        },
      },
    })
    const end = await scene.run()
    assert.deepEqual([end.ended, end.text, scene.ran], ['answered', 'Done.', ['hall']])
    assert.match(scene.sent(1), /SubagentStart:scout hook additional context: Look in the attic\./)
    assert.match(scene.sent(3), /look again/)
    assert.match(scene.sent(4), /Found again\./)
    assert.match(scene.written('seen'), /agent-7/)
  },

  guards: async (open) => {
    /** @type {string[]} */
    const commands = []
    /** @type {string[]} */
    const asked = []
    const shell = {
      description: 'Would run a command.',
      schema: z.object({ command: z.string() }),
      run: (/** @type {{ command: string }} */ { command }) => {
        commands.push(command)
        return 'noted'
      },
    }
    const onAsk = (/** @type {{ input: any }} */ { input }) => {
      asked.push(input.command)
      return false
    }
    const denied = 'echo ran > marked/denied.txt'
    const questionable = 'grep -q go go.txt && echo ran > marked/asked.txt'
    const secret = 'cat kept/key'
    const passing = 'echo ran > passed.txt'
    const calls = [denied, questionable, secret, passing].map((command) => ({ name: 'Bash', input: { command } }))
    const script = [...calls.map((call) => ({ tools: [call] })), DONE]
    const scene = await open({}, script, { tools: { Bash: shell }, options: { onAsk } })
    const { root } = scene.host
    const engine = /** @type {import('hookline').Engine} */ (scene.host.engine) // as it was opened
    const home = join(root, 'home')
    mkdirSync(join(home, '.hookline'))
    const settings = { places: { startup: ['marked/**'], secret: ['kept/**'] } }
    writeFileSync(join(home, '.hookline/guards.json'), JSON.stringify(settings))
    await engine.on('PreToolUse', guards({ home, managed: '' }))
    assert.equal((await scene.run()).ended, 'answered')
    assert.deepEqual([commands, asked], [[passing], [questionable]])
    for (const reason of [/writes marked\/denied\.txt/, /reads kept\/key/]) assert.match(scene.sent(), reason)
  },

  untrusted: async (open) => {
    const scene = await open({ PreToolUse: [shell('exit 2')] }, [lamp('hall'), DONE], { trust: 'stored' })
    await scene.run()
    assert.deepEqual(scene.ran, ['hall'])
    assert.match(scene.told.join('\n'), /not trusted yet/)
  },

  aborted: async (open) => {
    const stop = new AbortController()
    const hooks = { PreToolUse: [shell('echo $$ >started; exec sleep 60')] }
    const scene = await open(hooks, [lamp('hall'), DONE], { options: { signal: stop.signal } })
    const running = scene.run().then(
      ({ ended }) => ended,
      () => 'rejected',
    )
    while (scene.written('started') === '') await pause(10)
    stop.abort()
    assert.equal(await running, 'rejected')
    assert.deepEqual([scene.ran, scene.server.requests.length], [[], 1])
    const hook = Number(scene.written('started'))
    for (let tries = 0; tries < 300 && isAlive(hook); tries++) await pause(10) // a framework may reject at once
    assert.equal(isAlive(hook), false)
  },

  'late delivery': async (open) => {
    const answer = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: '2 tests fail' } }
    const hook = { type: 'command', command: says(answer), async: true }
    const scene = await open({ PostToolUse: [{ hooks: [hook] }] }, [lamp('hall'), ...Array(200).fill(DONE)])
    await scene.run()
    for (let tries = 0; tries < 100 && !scene.sent().includes('2 tests fail'); tries++) {
      await pause(20)
      await scene.run('And now?')
    }
    assert.match(scene.sent(), /Async hook .* additional context: 2 tests fail/)
  },
}

/**
 * Runs one case with one driver. Rejects when the framework does something else; resolves with why it cannot do it at all.
 *
 * @param {string} name
 * @param {Driver} driver
 * @param {{ streamed: boolean }} how
 * @returns {Promise<string | null>}
 */
export async function runCase(name, driver, { streamed }) {
  const why = driver.cannot[name]
  if (why !== undefined) return why
  /** @type {Scene[]} */
  const scenes = []
  try {
    /** @type {Open} */
    const open = async (hooks, script, more) => {
      const scene = await openScene(driver, hooks, script, { streamed, ...more })
      scenes.push(scene)
      return scene
    }
    await (CASES[name] ?? driver.cases?.[name])?.(open, driver)
    return null
  } finally {
    for (const scene of scenes) await scene.close()
  }
}
