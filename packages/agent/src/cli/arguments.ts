import { parseArgs } from 'node:util'
import * as z from 'zod'
import { AgentError } from '../output/agent-error.ts'
import { isPermissionMode, PERMISSION_MODES, type PermissionMode } from '../permission/modes.ts'
import { GivenAgent } from '../subagents/definition.ts'

/** Format in which the command says what it did. */
export type OutputFormat = 'text' | 'json' | 'stream-json'

/** Request to the command. */
export interface Arguments {
  /** Print mode; the prompt may still come on standard input. */
  readonly print: boolean
  readonly prompt: string
  readonly format: OutputFormat
  readonly model: string | null
  readonly mode: PermissionMode | undefined
  readonly allowedTools: readonly string[]
  readonly disallowedTools: readonly string[]
  /** An earlier session: its id, or `newest`. */
  readonly resume: string | undefined
  /** True if the session that is resumed stays as it is. */
  readonly fork: boolean
  readonly setup: 'init' | 'maintenance' | undefined
  /** Only Setup and SessionStart hooks run. */
  readonly initOnly: boolean
  readonly worktree: string | undefined
  readonly liveSettings: boolean
  readonly settings: string | undefined
  readonly plugins: readonly string[]
  readonly mcpConfig: readonly string[]
  /** Kinds of subagents by name. */
  readonly agents: ReturnType<typeof parseAgents>
  readonly maxTurns: number | undefined
  /** The version of the hook protocol. */
  readonly profile: string | undefined
  readonly preset: 'envoy' | undefined
  readonly debug: readonly string[]
  readonly trust: boolean
  /** Hooks that fail, or cannot run here, block. */
  readonly failClosed: boolean
  /** Guards of Hookline look at every call. */
  readonly guards: boolean
  /** A terminal without drawing: line by line. */
  readonly plain: boolean
  readonly project: string | undefined
  readonly home: string | undefined
  readonly managed: string | undefined
}

/** Text of `--help`. */
export const USAGE = `hookline-agent: a small coding agent whose every step passes your hooks

Usage: hookline-agent [options] ["<prompt>"]          opens a session in the terminal
       hookline-agent -p "<prompt>" [options]        does it and prints the answer
       echo "<prompt>" | hookline-agent -p

  -p, --print                 print mode; the prompt is the argument, standard input, or both
  --output-format FORMAT      text (default), json (one result), stream-json (everything, as it happens)
  --model NAME                provider/model, haiku, sonnet, opus, or script:FILE.json for a scripted model
  --permission-mode MODE      default, plan, acceptEdits, auto (a model judges calls), dontAsk, bypassPermissions
  --allowed-tools RULES       rules that allow calls, such as "Bash(npm test:*),Edit"; may be repeated
  --disallowed-tools RULES    rules that deny calls; a bare tool name takes the tool away
  --max-turns N               requests to the model before the run ends
  -c, --continue              go on with the newest session of this folder
  -r, --resume ID             go on with this session
  --fork-session              with --continue or --resume: as a session of its own
  --init, --maintenance       run Setup hooks of current first
  --init-only                 run Setup and SessionStart hooks of current, and nothing else
  --worktree NAME             work in a git worktree of this name, beside the project
  --live-settings             edits of settings files count at once, but for those of the project's own files
  --settings FILE             a settings file for this run only
  --plugin DIR                a plugin: hooks, agents, commands, skills, MCP servers; may be repeated
  --mcp-config FILE           MCP servers beside those of .mcp.json; may be repeated
  --agents JSON               kinds of subagents by name: {"name": {"description": "…", "prompt": "…", "tools": […]}}
  --profile NAME              version of the hook protocol: classic or current; default: what hookline profile shows
  --preset envoy              hooks one after the other, without a time limit and without a shell
  --plain                     the terminal line by line, without drawing: for screen readers and simple terminals
  --trust                     count this folder's hooks as trusted for this run
  --fail-closed               a hook that fails, or cannot run here, blocks where the event can be blocked
  --guards                    guards of Hookline look at every call: they refuse harm, or ask (hookline guard --help)
  --debug [CATEGORIES]        a log on standard error: hooks, api, or everything where none is named
  --project DIR  --home DIR  --managed FILE   read settings from other places
  --version, -h, --help

The prompts /clear, /compact [instructions], /exit and /logout are commands of the agent itself;
those in .claude/commands are there too.

Exit code: 0 answered, 1 a mistake, a model that failed or the turns used up, 2 stopped or refused by a hook,
3 a fault of ours, 130 interrupted (SIGINT), 143 terminated (SIGTERM), 129 hung up, 141 nobody reads the output.

Examples:
  hookline-agent -p "What does this project do?" --model haiku
  hookline-agent -p "Run the tests" --model script:turns.json --trust --output-format stream-json
`

/** Reads the arguments. Throws an AgentError that says what is wrong. */
export function readArguments(args: readonly string[]): Arguments {
  const { values, positionals } = parseFlags(joinCategories(args))
  if (values.continue && values.resume !== undefined)
    throw new AgentError('--continue and --resume exclude each other.')
  const resume = values.continue ? 'newest' : values.resume
  if (values['fork-session'] && resume === undefined)
    throw new AgentError('--fork-session needs a session: add --continue or --resume ID.')
  return {
    print: values.print ?? false,
    prompt: positionals.join(' '),
    format: parseFormat(values['output-format']),
    model: values.model ?? null,
    mode: parseMode(values['permission-mode']),
    allowedTools: splitRules(values['allowed-tools']),
    disallowedTools: splitRules(values['disallowed-tools']),
    resume,
    fork: values['fork-session'] ?? false,
    setup: readSetup(values),
    initOnly: values['init-only'] ?? false,
    worktree: values.worktree,
    liveSettings: values['live-settings'] ?? false,
    settings: values.settings,
    plugins: values.plugin ?? [],
    mcpConfig: values['mcp-config'] ?? [],
    agents: parseAgents(values.agents),
    maxTurns: parseTurns(values['max-turns']),
    profile: values.profile,
    preset: parsePreset(values.preset),
    debug: parseCategories(values.debug),
    trust: values.trust ?? false,
    failClosed: values['fail-closed'] ?? false,
    guards: values.guards ?? false,
    plain: values.plain ?? false,
    project: values.project,
    home: values.home,
    managed: values.managed,
  }
}

const text = { type: 'string' } as const
const texts = { type: 'string', multiple: true } as const
const flag = { type: 'boolean' } as const

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        print: { ...flag, short: 'p' },
        'output-format': text,
        model: text,
        'permission-mode': text,
        'allowed-tools': texts,
        'disallowed-tools': texts,
        continue: { ...flag, short: 'c' },
        resume: { ...text, short: 'r' },
        'fork-session': flag,
        init: flag,
        'init-only': flag,
        maintenance: flag,
        worktree: text,
        'live-settings': flag,
        settings: text,
        plugin: texts,
        'mcp-config': texts,
        agents: text,
        'max-turns': text,
        profile: text,
        preset: text,
        debug: text,
        trust: flag,
        'fail-closed': flag,
        guards: flag,
        plain: flag,
        project: text,
        home: text,
        managed: text,
      },
    })
  } catch (error) {
    const [what = ''] = String(error instanceof Error ? error.message : error).split('. ', 1) // the rest is about Node
    throw new AgentError(`${what.replace(/\.$/, '')}. See hookline-agent --help.`)
  }
}

function parseFormat(given = 'text'): OutputFormat {
  if (given === 'text' || given === 'json' || given === 'stream-json') return given
  throw new AgentError(`--output-format is text, json or stream-json, not "${given}".`)
}

function parseMode(given: string | undefined): PermissionMode | undefined {
  if (given === undefined || isPermissionMode(given)) return given
  throw new AgentError(`--permission-mode is one of ${PERMISSION_MODES.join(', ')}, not "${given}".`)
}

interface SetupFlags {
  readonly init?: boolean | undefined
  readonly 'init-only'?: boolean | undefined
  readonly maintenance?: boolean | undefined
}

function readSetup({ init, 'init-only': initOnly, maintenance }: SetupFlags): 'init' | 'maintenance' | undefined {
  if (maintenance && (init || initOnly)) throw new AgentError('--init and --maintenance exclude each other.')
  if (maintenance) return 'maintenance'
  return init || initOnly ? 'init' : undefined
}

function parsePreset(given: string | undefined): 'envoy' | undefined {
  if (given === undefined || given === 'envoy') return given
  throw new AgentError(`--preset is envoy, not "${given}".`)
}

function parseTurns(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const turns = Number(given)
  if (Number.isInteger(turns) && turns > 0) return turns
  throw new AgentError(`--max-turns is a whole number above 0, not "${given}".`)
}

const CATEGORIES = ['hooks', 'api']

/** `--debug` may stand alone; a prompt behind it is not a category. */
function joinCategories(args: readonly string[]): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length
  const isCategory = (word = '-'): boolean => !word.startsWith('-') && !/\s/.test(word)
  return args.map((word, at) => (word === '--debug' && at < end && !isCategory(args[at + 1]) ? '--debug=' : word))
}

function parseCategories(given: string | undefined): string[] {
  if (given === undefined) return []
  const asked = given.split(',').filter((category) => category !== '')
  const unknown = asked.find((category) => !CATEGORIES.includes(category))
  if (unknown !== undefined)
    throw new AgentError(`"${unknown}" is not a category of --debug. Categories: ${CATEGORIES.join(', ')}.`)
  return asked.length === 0 ? CATEGORIES : asked
}

/** Rules, separated by commas outside parentheses. */
function splitRules(given: readonly string[] = []): string[] {
  const rules = given.flatMap((list) => list.split(/,(?![^(]*\))/)).map((rule) => rule.trim())
  return rules.filter((rule) => rule !== '')
}

const GivenAgents = z.record(z.string(), GivenAgent)

const EXAMPLE = '{"reviewer": {"description": "Reviews code", "prompt": "You review code.", "tools": ["Read", "Grep"]}}'

/** Reads the value of `--agents`. Throws an AgentError that says what is wrong. */
function parseAgents(given: string | undefined): z.input<typeof GivenAgents> | undefined {
  if (given === undefined) return undefined
  const written = parseAgentsJson(given)
  const agents = GivenAgents.safeParse(written)
  if (!agents.success)
    throw new AgentError(`--agents is a JSON object such as ${EXAMPLE}:\n${z.prettifyError(agents.error)}`)
  return agents.data
}

function parseAgentsJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error) // says where
    throw new AgentError(`--agents is not JSON (${why}). It is an object such as ${EXAMPLE}.`)
  }
}
