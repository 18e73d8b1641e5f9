import { isAbsolute, relative, resolve } from 'node:path'
import { isAccepting } from '../../pattern/matcher.ts'
import { findRelativeAmong, findRelativeScripts, isDrivePath, toDirectWords } from '../invocation.ts'
import { findPathKind } from '../path-kind.ts'
import { type StartFault, startFaults } from '../programs.ts'
import { type ExaminedHook, makeReportedRule, type Remark, type Rule } from '../rule.ts'
import { parseShell, type ShellWord, splitWords } from '../shell-words.ts'
import { makeReplacement } from '../text-edit.ts'
import { makePluginCommandExample, makeScriptExample, on } from './example.ts'

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}'

const GREETING = { 'plugin/scripts/greet.sh': 'echo "Be kind."\n' }

/** Rules about the programs and scripts that a command is certain to start. */
export const programRules: readonly Rule[] = [
  {
    ...makeReportedRule('V-HK-06', 'program-cannot-run'),
    page: {
      title: "The command's program can be run",
      why: 'It must be on PATH or be an executable file: chmod +x it. A first line that ends in CRLF, or names an interpreter that is not there, keeps a script from starting. A hook that cannot start decides nothing, so a guard is open. A command that the shell cannot read ends with 2, which refuses every call that can be refused.',
      bad: on('SessionStart', 'surely-no-such-program --context'),
      good: on('SessionStart', 'git status --short'),
    },
    find: (one) => listStartFaults('program', one),
  },
  {
    id: 'V-HK-07',
    name: 'missing-script',
    severity: 'error',
    page: {
      title: 'A script that the command names exists',
      why: 'Relative paths are resolved in the folder the session works in, which may change. Name scripts through "$CLAUDE_PROJECT_DIR", those of a plugin through "$CLAUDE_PLUGIN_ROOT".',
      bad: on('SessionStart', 'sh .claude/hooks/contxt.sh'),
      good: {
        ...on('SessionStart', 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/context.sh'),
        ...makeScriptExample('context.sh', 'git status --short\n'),
      },
    },
    find: async (one) => [...(await listStartFaults('script', one)), ...findPluginScriptRemarks(one)],
  },
  {
    id: 'V-HK-11',
    name: 'fixed-plugin-path',
    severity: 'warning',
    page: {
      title: `A plugin's scripts are named through ${PLUGIN_ROOT}`,
      why: 'A plugin is installed in a different place on every machine. A fixed path works for its author only.',
      bad: { ...makePluginCommandExample('sh /opt/plugins/greeter/scripts/greet.sh'), ...GREETING },
      good: { ...makePluginCommandExample(`sh "${PLUGIN_ROOT}/scripts/greet.sh"`), ...GREETING },
    },
    find: findFixedPathRemarks,
  },
  {
    id: 'V-HK-38',
    name: 'relative-script',
    severity: 'warning',
    page: {
      title: 'A script is named from the project, not from the current folder',
      why: 'Hooks run in the folder that the session works in, and that changes with the first cd of the agent: a script that is named by a relative path is not found any more, and a guard is open. CLAUDE_PROJECT_DIR is the project, wherever the session works.',
      bad: {
        ...on('SessionStart', 'sh .claude/hooks/context.sh'),
        ...makeScriptExample('context.sh', 'git status --short\n'),
      },
      good: {
        ...on('SessionStart', 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/context.sh'),
        ...makeScriptExample('context.sh', 'git status --short\n'),
      },
    },
    find: findRelativeScriptRemarks,
    fix({ name, node }, { text }) {
      const command = name === 'command' && typeof node.value === 'string' ? fromProject(node.value) : node.value
      return command === node.value ? null : makeReplacement(node, JSON.stringify(command), text)
    },
  },
]

/** Scripts that are not found once the session works in another folder; those of a plugin are told elsewhere. */
function findRelativeScriptRemarks({ command, subject, entry }: ExaminedHook): Remark[] {
  if (command === null || isBeforeAnyCall(entry)) return []
  const [program, ...operands] = toDirectWords(entry.hook.shown.program ?? [])
  const inShell = command.code.flatMap(({ syntax, script }) =>
    syntax && script === null ? findRelativeScripts(syntax) : [],
  )
  const [first] = [...inShell, ...(program ? findRelativeAmong(program, operands) : [])].filter(
    ({ value }) => subject.pluginRoot === null || value?.includes('.claude/'),
  )
  if (!first) return []
  const message = `${first.raw} is a path from the current folder: it is not found after the first cd of the agent. Write ${toProjectPath(first)}.`
  return [{ place: command.node, message }]
}

/** Moments at which the agent has not called anything yet, as matchers name them. */
const BEFORE_ANY_CALL: ReadonlySet<string> = new Set(['startup', 'init', 'maintenance'])

/** True if a hook runs only before the first call, while the session still works in the project's own folder. */
function isBeforeAnyCall({ hook, row }: ExaminedHook['entry']): boolean {
  const moments = row.values.filter((value) => isAccepting(hook.matcher, row, { [row.matchOn ?? '']: value }))
  return moments.length > 0 && moments.every((value) => BEFORE_ANY_CALL.has(value))
}

function toProjectPath({ raw }: ShellWord): string {
  return `"$CLAUDE_PROJECT_DIR"/${raw.replace(/^(["']?)\.\//, '$1')}`
}

/** A shell text that names these scripts from the project. */
function fromProject(text: string): string {
  const script = parseShell(text)
  return (script ? findRelativeScripts(script) : [])
    .toSorted((a, b) => b.offset - a.offset)
    .reduce(
      (rest, word) => rest.slice(0, word.offset) + toProjectPath(word) + rest.slice(word.offset + word.raw.length),
      text,
    )
}

/** Lists what keeps a hook from starting, as far as it is about the one or the other. */
async function listStartFaults(
  about: StartFault['about'],
  { command, subject, entry }: ExaminedHook,
): Promise<Remark[]> {
  if (command === null) return []
  const faults = await startFaults(entry.hook, { project: subject.project, env: process.env, home: subject.home })
  const lead = about === 'program' ? 'It cannot be run: ' : ''
  return faults
    .filter((fault) => fault.about === about)
    .map(({ because }) => ({ place: command.node, message: `${lead}${because}.` }))
}

/** Scripts named through a variable that only plugins have. */
function findPluginScriptRemarks({ command, entry }: ExaminedHook): Remark[] {
  if (command === null || entry.hook.pluginRoot !== null) return []
  const word = splitWords(command.text).find(hasRootVariable)
  if (!word) return []
  const message = `${word.raw} leads nowhere: CLAUDE_PLUGIN_ROOT is set for the hooks of plugins only.`
  return [{ place: command.node, message }]
}

/** Scripts that a plugin does not find where else it is installed. */
async function findFixedPathRemarks({ command, subject, entry }: ExaminedHook): Promise<Remark[]> {
  const { pluginRoot, project } = subject
  if (command === null || pluginRoot === null) return []
  const words = command.invocations
    .flatMap(({ program, script: given }) => [program, given])
    .filter((word) => word !== null)
  const { args = [] } = entry.hook.written
  const fromRoot = new Set(
    [entry.hook.written.command, ...(Array.isArray(args) ? args : [])].flatMap((text) => expandRoot(text, pluginRoot)),
  )
  for (const word of words) {
    if (fromRoot.has(word.value ?? '')) continue
    if (!(await isFixedScriptPath(word, { pluginRoot, project }))) continue
    const way = relative(pluginRoot, resolve(pluginRoot, word.value ?? ''))
    const better = way.startsWith('..') ? '' : ` Write "${PLUGIN_ROOT}/${way}".`
    const message = `${word.raw} is a fixed path: it is wrong wherever else the plugin is installed.${better}`
    return [{ place: command.node, message }]
  }
  return []
}

/** Spells out a path that begins with the plugin's root, as it is read where no shell does. */
function expandRoot(text: unknown, pluginRoot: string): string[] {
  return typeof text === 'string' && text.startsWith(PLUGIN_ROOT) ? [pluginRoot + text.slice(PLUGIN_ROOT.length)] : []
}

/** True if a script of the plugin is named by its place on this machine, or by one below the current folder. */
async function isFixedScriptPath(word: ShellWord, { pluginRoot, project }: { pluginRoot: string; project: string }) {
  const { value } = word
  if (value === null || hasRootVariable(word)) return false
  if (isAbsolute(value) || isDrivePath(value))
    return !relative(pluginRoot, value).startsWith('..') || /\.\w+$/.test(value)
  if (!value.includes('/')) return false
  return (
    (await findPathKind(resolve(pluginRoot, value))) === 'file' &&
    (await findPathKind(resolve(project, value))) !== 'file'
  )
}

function hasRootVariable({ variables }: ShellWord): boolean {
  return variables.some(({ name }) => name === 'CLAUDE_PLUGIN_ROOT')
}
