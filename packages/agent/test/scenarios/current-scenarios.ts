import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ModelAnswer, startModelServer } from 'hookline/testing'
import { onTestFinished } from 'vitest'
import { put, type World } from '../../../hookline/test/support/project.ts'
import { chooseModel } from '../../src/models/choose-model.ts'
import { makeScriptedModel } from '../../src/models/scripted.ts'
import type { Agent } from '../../src/session/agent.ts'
import { config, realServer, smallServer } from '../mcp/support.ts'
import { environment } from '../support/command.ts'
import type { Opening } from '../support/opened-agent.ts'
import { makeRepository } from '../support/repository.ts'
import { HOOK } from './hook.ts'
import type { Block, Host, Scenario } from './scenario.ts'
import { SCENARIOS } from './scenarios.ts'

const touching = (path: string) => ({ name: 'Bash', input: { command: `touch ${path}` }, id: 'toolu_1' })
const bash = (command: string) => ({ name: 'Bash', input: { command }, id: 'toolu_1' })
const reading = (path: string) => ({ name: 'Read', input: { file_path: path }, id: 'toolu_1' })
const asking = { tools: [{ name: 'mcp__small__ask', input: {}, id: 'toolu_1' }] }
const task = (more: object) => ({
  name: 'Task',
  input: { prompt: 'Count the files', description: 'count', subagent_type: 'general-purpose', ...more },
  id: 'toolu_1',
})

/** A block that does nothing, and of which no one is told. */
const unheard = (does = 'it changes nothing, and nobody is told'): Block => ({ does, code: null, quiet: true })

/** How an event of both profiles comes about, with what is different here. */
function asInClassic(event: string, value: string | null, change: Partial<Scenario> = {}): Scenario {
  const known = SCENARIOS.find((scenario) => scenario.event === event && scenario.value === value)
  if (!known) throw new TypeError(`classic has no scenario of ${event} ${value}`)
  return { ...known, ...change }
}

/** What a host does with the agent as a library. */
const host = (how: string, given: Omit<Host, 'by' | 'how'> = {}): Host => ({ by: 'host', how, ...given })

const prompted = 'a prompt'

/** A model of a provider whose server says this. */
function served(answers: readonly ModelAnswer[], more: Opening = {}) {
  return async (): Promise<Opening> => {
    const server = await startModelServer(answers)
    onTestFinished(() => server.close())
    const env = { ...environment(), ...server.env }
    return { ...more, env, model: await chooseModel('anthropic/claude-sonnet-4-5', { env, cwd: '.' }) }
  }
}

const SOON = { 'retry-after-ms': '1' }
const limited: ModelAnswer = { status: 429, message: 'too many requests', headers: SOON }
const tooMany: readonly ModelAnswer[] = [limited, limited, limited]

const errorBody = (type: string, message: string) => ({ type: 'error', error: { type, message } })

const FAILURES: readonly { readonly value: string; readonly when: string; readonly answers: readonly ModelAnswer[] }[] =
  [
    { value: 'authentication_failed', when: 'answers 401 or 403', answers: [{ status: 401, message: 'no such key' }] },
    {
      value: 'unknown',
      when: 'answers 400, or something else that has no name here',
      answers: [{ status: 400, message: 'odd' }],
    },
    { value: 'model_not_found', when: 'answers 404', answers: [{ status: 404, message: 'no such model' }] },
    { value: 'invalid_request', when: 'answers 413', answers: [{ status: 413, message: 'too long' }] },
    { value: 'rate_limit', when: 'answers 429 until the agent gives up', answers: tooMany },
    {
      value: 'server_error',
      when: 'answers 500 or 529 until the agent gives up',
      answers: [1, 2, 3].map(() => ({ status: 500, message: 'broken', headers: SOON })),
    },
    {
      value: 'oauth_org_not_allowed',
      when: 'says that the organization does not allow the sign-in',
      answers: [{ status: 403, message: 'OAuth authentication is not allowed for this organization.' }],
    },
    {
      value: 'account_on_hold',
      when: 'says that the account is on hold',
      answers: [{ status: 403, message: 'Your account is on hold.' }],
    },
    {
      value: 'verification_required',
      when: 'wants the organization to be verified first',
      answers: [{ status: 403, message: 'Please verify your organization to use this model.' }],
    },
    {
      value: 'billing_error',
      when: 'answers 402, or says that there is no credit left',
      answers: [{ status: 400, body: errorBody('invalid_request_error', 'Your credit balance is too low.') }],
    },
    {
      value: 'overloaded',
      when: 'breaks off an answer, since it is overloaded',
      answers: [{ text: 'I begin to', ends: { error: 'Overloaded' } }],
    },
    {
      value: 'max_output_tokens',
      when: 'ends an answer at the limit of the model',
      answers: [{ text: 'A long', stopReason: 'length' }],
    },
    {
      value: 'cloud_credential_error',
      when: 'is reached through a cloud whose credentials cannot be loaded',
      answers: [{ status: 403, message: 'Could not load credentials from any providers' }],
    },
  ]

/** A change of a file that the agent hears of when it looks, with the next event at the latest. */
const editing = (path: string, content: object | string) => async (agent: Agent, world: World) => {
  await put(world, path, content)
  await agent.run('Go')
}

const FILLS_IN: Opening = { elicit: async () => ({ action: 'accept', content: { branch: 'main' } }) }
const small = { 'project/.mcp.json': config({ small: smallServer() }) }
const allowed: Opening = { allowedTools: ['Bash', 'Read', 'mcp__small'] }

/** Sends a prompt, and waits until the hook has read its input: such events come in the background. */
async function runUntilSeen(agent: Agent, { project }: World): Promise<void> {
  await agent.run('Go')
  for (const end = performance.now() + 20_000; !existsSync(join(project, 'seen.jsonl')) && performance.now() < end; )
    await pause(20)
}

const watching = (when: string, before: string | null, command: string, event: string): Scenario => ({
  event: 'FileChanged',
  value: 'watched.txt',
  variant: event,
  when,
  through: host(`${prompted}, whose first call runs \`${command}\` in a project with a hook on \`watched.txt\``, {
    script: { turns: [{ tools: [bash(command)] }] },
    act: runUntilSeen,
    files: before === null ? {} : { 'project/watched.txt': before },
    options: allowed,
  }),
  block:
    event === 'change'
      ? { does: 'it changes nothing; the user reads the reason', code: null, person: '[H]: not today' }
      : null,
})

const CONFIG_BLOCK: Block = {
  does: 'the change does not count, without a message; one of policy counts all the same, and those of the project’s own files wait for a review anyway',
  code: null,
  quiet: true,
}

const edited = (value: string, path: string, content: object | string, block: Block | null): Scenario => ({
  event: 'ConfigChange',
  value,
  when: `${value === 'skills' ? 'a skill' : `the file of \`${value}\``} was edited while the session runs`,
  through: host(`an edit of \`${path.replace('home/', '~/').replace('project/', '')}\`, then ${prompted}`, {
    act: editing(path, content),
    options: { liveSettings: true },
  }),
  block,
})

/** How every event of `current` comes about, and every value that its matchers know. */
export const CURRENT_SCENARIOS: readonly Scenario[] = [
  asInClassic('SessionStart', 'startup'),
  asInClassic('SessionStart', 'resume', { block: null }),
  asInClassic('SessionStart', 'clear', { block: null }),
  asInClassic('SessionStart', 'compact', { block: null }),
  {
    event: 'SessionStart',
    value: 'fork',
    when: 'a session goes on from an earlier one, which stays as it is',
    through: {
      by: 'command',
      runs: [
        ['-p', 'Hello'],
        ['-p', 'Hello again', '--continue', '--fork-session'],
      ],
    },
    block: null,
  },
  {
    event: 'Setup',
    value: 'init',
    when: 'the agent is started with `--init` or `--init-only`, before SessionStart',
    through: { by: 'command', runs: [['--init-only']] },
    block: { ...unheard('it changes nothing: the session starts'), code: 0 },
  },
  {
    event: 'Setup',
    value: 'maintenance',
    when: 'the agent is started with `--maintenance`, before SessionStart',
    through: { by: 'command', runs: [['-p', 'Hello', '--maintenance']] },
    block: null,
  },
  {
    event: 'InstructionsLoaded',
    value: 'session_start',
    when: 'a file of instructions is read when the session starts',
    through: host(`${prompted} in a project with a \`CLAUDE.md\``, { files: { 'project/CLAUDE.md': 'Use tabs.' } }),
    block: unheard('it changes nothing: the file counts'),
  },
  {
    event: 'InstructionsLoaded',
    value: 'nested_traversal',
    when: 'a tool goes to a folder that has a file of instructions',
    through: host(`${prompted}, whose first call reads \`web/a.css\` beside a \`web/CLAUDE.md\``, {
      script: { turns: [{ tools: [reading('web/a.css')] }] },
      files: { 'project/web/CLAUDE.md': 'The web part.', 'project/web/a.css': 'a {}' },
    }),
    block: null,
  },
  {
    event: 'InstructionsLoaded',
    value: 'path_glob_match',
    when: 'a tool goes to a file that the `paths` of a rule fit',
    through: host(`${prompted}, whose first call reads \`a.css\` in a project with a rule about \`**/*.css\``, {
      script: { turns: [{ tools: [reading('a.css')] }] },
      files: { 'project/.claude/rules/css.md': '---\npaths: "**/*.css"\n---\nUse variables.', 'project/a.css': 'a {}' },
    }),
    block: null,
  },
  {
    event: 'InstructionsLoaded',
    value: 'include',
    when: 'a file of instructions names another one with `@`',
    through: host(`${prompted} in a project whose \`CLAUDE.md\` says \`See @style.md\``, {
      files: { 'project/CLAUDE.md': 'See @style.md', 'project/style.md': 'Short sentences.' },
    }),
    block: null,
  },
  {
    event: 'InstructionsLoaded',
    value: 'compact',
    when: 'the conversation was compacted, and a file counts on',
    through: host('a prompt, then `agent.compact()`', {
      files: { 'project/CLAUDE.md': 'Use tabs.' },
      act: async (agent) => {
        await agent.run('Hello')
        await agent.compact()
      },
    }),
    block: null,
  },
  asInClassic('UserPromptSubmit', null),
  {
    event: 'UserPromptExpansion',
    value: 'review',
    variant: 'slash_command',
    when: 'the user types a slash command, after UserPromptSubmit',
    through: {
      by: 'command',
      runs: [['-p', '/review the tests']],
      files: { 'project/.claude/commands/review.md': 'Review $ARGUMENTS.' },
    },
    block: {
      does: 'the command is dropped and stands nowhere; the user reads the reason and what was typed',
      code: 2,
      person: 'UserPromptExpansion operation blocked by hook:\nnot today\n\nOriginal prompt: /review the tests',
      nowhere: 'Review the tests',
    },
  },
  {
    event: 'UserPromptExpansion',
    value: 'mcp__everything__simple-prompt',
    variant: 'mcp_prompt',
    when: 'the user types the name of a prompt that an MCP server has, after UserPromptSubmit',
    through: host('the prompt `/mcp__everything__simple-prompt`, with the published server `everything`', {
      files: {
        'project/.mcp.json': config({ everything: { command: process.execPath, args: [realServer, 'stdio'] } }),
      },
      act: (agent) => agent.run('/mcp__everything__simple-prompt'),
    }),
    block: null,
  },
  {
    event: 'MessageDisplay',
    value: null,
    when: 'text of the model is about to be shown',
    through: { by: 'command', runs: [['-p', 'Hello']], script: { turns: [{ text: 'Hello yourself.' }] } },
    block: { ...unheard('it changes nothing: the text is shown as it is'), code: 0 },
  },
  asInClassic('PreToolUse', 'Bash'),
  {
    event: 'PermissionRequest',
    value: 'Bash',
    when: 'no rule decides on a call, and the user is about to be asked, or there is none to ask',
    through: {
      by: 'command',
      runs: [['-p', 'Mark it']],
      script: { turns: [{ tools: [touching('mark')] }, { text: 'Marked.' }] },
    },
    block: {
      does: 'exit 2 changes nothing; an answer with `decision` decides',
      code: 0,
      person: 'there is no user to answer',
      files: { mark: false },
    },
  },
  {
    event: 'PermissionDenied',
    value: 'Bash',
    when: 'a model judged a call in the mode `auto`, and denied it',
    through: {
      by: 'command',
      runs: [['-p', 'Look around', '--permission-mode', 'auto']],
      script: {
        turns: [{ tools: [touching('mark')] }, { text: 'I may not.' }],
        agents: { classifier: { turns: [{ text: '{"allow": false, "reason": "The user did not ask for it."}' }] } },
      },
    },
    block: { does: 'it changes nothing: the call is not made', code: 0, files: { mark: false } },
  },
  asInClassic('PostToolUse', 'Bash'),
  asInClassic('PostToolUseFailure', 'Bash'),
  {
    event: 'PostToolBatch',
    value: null,
    when: 'all calls of one answer are done, before the model is asked again',
    through: {
      by: 'command',
      runs: [['-p', 'Mark it', '--allowed-tools', 'Bash']],
      script: { turns: [{ tools: [touching('mark')] }, { text: 'Marked.' }] },
    },
    block: {
      does: 'the turn ends, and the reason stays in the conversation',
      code: 2,
      model: 'PostToolBatch hook blocking error: [H]: not today',
      files: { mark: true },
    },
  },
  asInClassic('Notification', 'permission_prompt', {
    block: { does: 'it changes nothing: the dialog stays open', code: null, files: { mark: true } },
  }),
  asInClassic('Notification', 'auth_success', { block: null }),
  asInClassic('Notification', 'elicitation_dialog', { block: null }),
  asInClassic('Notification', 'idle_prompt', { block: null }),
  {
    event: 'Notification',
    value: 'elicitation_response',
    when: 'the user answered an MCP server',
    through: host(
      `${prompted}, whose call makes an MCP server ask, with an \`elicit\` in which the user fills in the form`,
      {
        script: { turns: [asking] },
        files: small,
        options: { ...allowed, ...FILLS_IN },
      },
    ),
    block: null,
  },
  {
    event: 'Notification',
    value: 'elicitation_url_dialog',
    when: 'an MCP server asks the user to open a page',
    through: host(`${prompted}, whose call makes an MCP server send the user to a page`, {
      script: { turns: [{ tools: [{ name: 'mcp__small__send', input: {}, id: 'toolu_1' }] }] },
      files: small,
      options: { ...allowed, ...FILLS_IN },
    }),
    block: null,
  },
  {
    event: 'Notification',
    value: 'elicitation_complete',
    when: 'the server has got what it wanted from that page',
    through: host(`${prompted}, whose call makes an MCP server send the user to a page`, {
      script: { turns: [{ tools: [{ name: 'mcp__small__send', input: {}, id: 'toolu_1' }] }] },
      files: small,
      options: { ...allowed, ...FILLS_IN },
    }),
    block: null,
  },
  {
    event: 'Notification',
    value: 'agent_needs_input',
    when: 'a teammate has asked for a permission, and the user does not answer',
    through: host(`${prompted} that a teammate works on, with a \`dialog\` in which the user takes a while`, {
      script: {
        turns: [{ tools: [task({ name: 'Ada', team_name: 'core' })] }],
        agents: { 'general-purpose': { turns: [{ tools: [touching('mark')] }] } },
      },
      notified: true,
    }),
    block: null,
  },
  {
    event: 'Notification',
    value: 'agent_completed',
    when: 'a teammate is done',
    through: asInClassic('TeammateIdle', null).through,
    block: null,
  },
  {
    event: 'Notification',
    value: 'quota_auto_resume_fired',
    when: 'the provider answers again after the time that it named, and the turn goes on',
    through: host(`${prompted} to a provider whose quota is used up, with \`quotaWaitMs: 60_000\``, {
      model: served([...tooMany, { text: 'Here I am.' }], { quotaWaitMs: 60_000 }),
    }),
    block: null,
  },
  {
    event: 'Notification',
    value: 'quota_auto_resume_stale',
    when: 'the same, but the machine slept far beyond that time: the turn does not go on by itself',
    through: host(
      `${prompted} to a provider whose quota is used up, with \`quotaWaitMs: 60_000\`, while the machine sleeps`,
      {
        model: served([limited, limited, { ...limited, headers: { 'retry-after-ms': '1000' } }], {
          quotaWaitMs: 60_000,
          quotaStaleMs: 100,
        }),
        act: async (agent) => {
          const work = agent.run('Go')
          await pause(300)
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000) // nothing of this process goes on
          await work
        },
      },
    ),
    block: null,
  },
  {
    event: 'Notification',
    value: 'quota_auto_resume_disabled',
    when: 'the provider named the time after which it answers again, and the agent does not wait so long',
    through: host(`${prompted} to a provider whose quota is used up`, { model: served(tooMany) }),
    block: null,
  },
  asInClassic('SubagentStart', 'general-purpose'),
  asInClassic('SubagentStop', 'general-purpose'),
  {
    event: 'TaskCreated',
    value: null,
    when: 'a task is put on the shared list',
    through: {
      by: 'command',
      runs: [['-p', 'Plan it']],
      script: { turns: [{ tools: [{ name: 'TaskCreate', input: { subject: 'Build', description: 'All of it' } }] }] },
    },
    block: {
      does: 'the task is deleted, and the call fails with the reason',
      code: 0,
      person: '[H]: not today',
      model: 'TaskCreated hook feedback:\n[H]: not today',
    },
  },
  asInClassic('TaskCompleted', null),
  asInClassic('TeammateIdle', null),
  asInClassic('Stop', null),
  ...FAILURES.map(
    ({ value, when, answers }, at): Scenario => ({
      event: 'StopFailure',
      value,
      when: `the turn ends since the provider ${when}`,
      through: host(`${prompted} to a provider that ${when}`, { model: served(answers) }),
      block: at === 0 ? unheard('it changes nothing: the turn is over') : null,
    }),
  ),
  edited('user_settings', 'home/.claude/settings.json', { model: 'other' }, CONFIG_BLOCK),
  edited('local_settings', 'project/.claude/settings.local.json', { model: 'other' }, null),
  edited('policy_settings', 'managed.json', { model: 'other' }, null),
  edited('skills', 'home/.claude/skills/one/SKILL.md', '---\ndescription: One\n---\nOne.', null),
  {
    ...edited('project_settings', 'project/.claude/settings.json', '', null),
    through: host(`an edit of \`.claude/settings.json\`, then ${prompted}`, {
      options: { liveSettings: true },
      act: async (agent, world) => {
        const group = { hooks: [{ type: 'command', command: HOOK }] }
        await put(world, 'project/.claude/settings.json', { model: 'other', hooks: { ConfigChange: [group] } })
        await agent.run('Go')
      },
    }),
  },
  {
    event: 'CwdChanged',
    value: null,
    when: 'a command ended in another folder of the project, which is the session’s from then on',
    through: host(`${prompted}, whose first call runs \`cd src\``, {
      script: { turns: [{ tools: [bash('cd src')] }, { text: 'There.' }] },
      files: { 'project/src/a.txt': '' },
      options: allowed,
    }),
    block: { does: 'it changes nothing; the user reads the reason', code: null, person: '[H]: not today' },
  },
  {
    event: 'DirectoryAdded',
    value: 'slash_command',
    when: 'the user adds a folder with `/add-dir`',
    through: host('`/add-dir FOLDER` in a terminal', {
      files: { 'other/a.txt': '' },
      act: async (agent, world) => {
        await agent.addDirectory(join(world.root, 'other'), { source: 'slash_command' })
      },
    }),
    block: unheard('it changes nothing: the folder counts'),
  },
  {
    event: 'DirectoryAdded',
    value: 'register_repo_root',
    when: 'the host adds a folder',
    through: host('`agent.addDirectory(folder)`', {
      files: { 'other/a.txt': '' },
      act: async (agent, world) => {
        await agent.addDirectory(join(world.root, 'other'))
      },
    }),
    block: null,
  },
  watching('a watched file changed', 'one', 'echo two >watched.txt', 'change'),
  watching('a watched file appeared', null, 'touch watched.txt', 'add'),
  watching('a watched file went', 'one', 'rm watched.txt', 'unlink'),
  {
    event: 'WorktreeCreate',
    value: null,
    when: 'a worktree is needed, for an isolated subagent or with `--worktree`; the hook makes it in place of git',
    through: host(`${prompted} that is given to a subagent with \`isolation: "worktree"\``, {
      script: { turns: [{ tools: [task({ isolation: 'worktree' })] }] },
      prepare: makeRepository,
    }),
    block: {
      does: 'there is no worktree, and the subagent does not begin; any code but 0 does the same',
      code: null,
      model: 'Error creating worktree: WorktreeCreate hook failed: [H]: not today',
    },
  },
  {
    event: 'WorktreeRemove',
    value: null,
    when: 'a worktree without changes is done with; the hook removes it in place of git',
    through: host(`${prompted} that is given to a subagent with \`isolation: "worktree"\``, {
      script: { turns: [{ tools: [task({ isolation: 'worktree' })] }] },
      prepare: makeRepository,
    }),
    block: {
      does: 'the worktree stays; any code but 0 does the same',
      code: null,
      model: 'stays: WorktreeRemove hook failed: [H]: not today',
    },
  },
  asInClassic('PreCompact', 'manual', {
    block: {
      does: 'the conversation is not compacted, and the user reads the reason',
      code: 2,
      person: 'Compaction blocked by PreCompact hook: [H]: not today',
    },
  }),
  asInClassic('PreCompact', 'auto', { block: null }),
  {
    ...asInClassic('PreCompact', 'manual'),
    event: 'PostCompact',
    when: 'the conversation was compacted, as the user had asked for',
    block: { does: 'it changes nothing; the user reads the reason', code: 0, person: '[H]: not today' },
  },
  {
    ...asInClassic('PreCompact', 'auto'),
    event: 'PostCompact',
    when: 'the conversation was compacted, as it would have outgrown what the model can read',
    block: null,
  },
  {
    event: 'PreModelSwitch',
    value: 'other',
    when: 'another model is asked for: with `/model NAME` in a terminal, or by the host',
    through: host('`agent.switchModel(model)`, or `/model NAME` in a terminal', { act: switching }),
    block: {
      does: 'the model stays, and the user reads the reason',
      code: null,
      person: 'Model switch blocked by a PreModelSwitch hook: [H]: not today',
    },
  },
  {
    event: 'PostModelSwitch',
    value: 'other',
    when: 'another model answers from now on',
    through: host('`agent.switchModel(model)`, or `/model NAME` in a terminal', { act: switching }),
    block: { does: 'it changes nothing; the user reads the reason', code: null, person: '[H]: not today' },
  },
  {
    event: 'Elicitation',
    value: 'small',
    when: 'an MCP server asks the user for something, before the user sees it',
    through: host(
      `${prompted}, whose call makes an MCP server ask, with an \`elicit\` in which the user fills in the form`,
      {
        script: { turns: [asking] },
        files: small,
        options: { ...allowed, ...FILLS_IN },
      },
    ),
    block: { does: 'the server is declined, and the user is not asked', code: null, model: '{"action":"decline"}' },
  },
  {
    event: 'ElicitationResult',
    value: 'small',
    when: 'an MCP server is about to be answered',
    through: host(
      `${prompted}, whose call makes an MCP server ask, with an \`elicit\` in which the user fills in the form`,
      {
        script: { turns: [asking] },
        files: small,
        options: { ...allowed, ...FILLS_IN },
      },
    ),
    block: { does: 'the server is declined in place of the answer', code: null, model: '{"action":"decline"}' },
  },
  asInClassic('SessionEnd', 'other'),
  asInClassic('SessionEnd', 'clear', { block: null }),
  asInClassic('SessionEnd', 'logout', { block: null }),
  asInClassic('SessionEnd', 'prompt_input_exit', { block: null }),
  {
    event: 'SessionEnd',
    value: 'resume',
    when: 'the user goes on with another session, with `/resume` in a terminal',
    through: host('a prompt, then `agent.resume(id)`', {
      act: async (agent) => {
        await agent.run('Hello')
        const { sessionId } = agent
        await agent.clear()
        await agent.run('Hello')
        await agent.resume(sessionId)
      },
    }),
    block: null,
  },
]

async function switching(agent: Agent): Promise<string> {
  await agent.run('Hello')
  const refused = await agent.switchModel(makeScriptedModel({}, { name: 'other' }))
  return refused ?? ''
}
