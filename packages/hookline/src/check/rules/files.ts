import { isMisplacedEvent, isMisspeltKey } from '../../config/misplaced-hooks.ts'
import { findModulesNode, listModuleNodes, MODULE_NOTICE, resolveModulePath } from '../../config/modules.ts'
import { moveIntoHooks } from '../../config/settings-text.ts'
import { NO_FILE, readStamp } from '../../files/read.ts'
import { type Example, type FixContext, makeReportedRule, type Remark, type Rule } from '../rule.ts'
import type { Subject } from '../subject.ts'
import { type Edit, type FoundField, makeRename } from '../text-edit.ts'
import { makePluginFileExample, makeSettingsExample, makeWrittenExample, on } from './example.ts'

/** Rules about whole files. */
export const fileRules: readonly Rule[] = [
  {
    ...makeReportedRule('V-HK-01', 'invalid-json'),
    loss: 'file',
    page: {
      title: 'The file is JSON',
      why: 'A file that is not JSON contributes nothing: none of its hooks runs. The same holds for the YAML block of a skill, an agent or a slash command.',
      bad: makeWrittenExample(formatEventLine('Stop', 'echo').replace(',', '')),
      good: on('Stop', 'echo done'),
    },
  },
  {
    ...makeReportedRule('V-HK-02', 'missing-hooks'),
    takesLoss: true,
    page: {
      title: 'The root has "hooks"',
      why: 'A plugin\'s hooks.json holds its hooks under "hooks", as a settings file does. Events at the root are not found. A settings file does not need "hooks", but if it has it, the value must be an object.',
      bad: makePluginFileExample({ Stop: [{ hooks: [{ type: 'command', command: 'echo done' }] }] }),
      good: makePluginFileExample({
        description: 'Says when it is over',
        hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo done' }] }] },
      }),
    },
    fix: moveIntoHooksFix,
  },
  {
    ...makeReportedRule('V-HK-26', 'not-strict-json'),
    page: {
      title: 'No comments, no trailing commas, no byte order mark',
      why: 'They are tolerated here, but they are not JSON: Claude Code silently runs no hook of such a file, and another program that writes the file may drop them. Put what you want to say into the "description" of a group.',
      bad: makeWrittenExample(`// says when it is over\n    ${formatEventLine('Stop', 'echo')},`),
      good: on('Stop', 'echo done'),
    },
    oncePerFile: true,
  },
  {
    ...makeReportedRule('V-HK-27', 'duplicate-key'),
    loss: 'entry',
    page: {
      title: 'No key appears twice in one object',
      why: 'One program takes the first of two equal keys, another the last, so what the file says depends on who reads it. In your own settings the last one counts; under the profile "current" the groups of all copies run, and a hook or group that has a key twice is set aside. In a policy such hooks keep every session from starting; under "current" they count as in your own settings, and calls that a hook which is set aside was to guard are refused. In a project, a hook, group or MCP server that has a key twice is set aside, and a file with such a key at its root, in "hooks", "mcpServers" or "permissions" counts as unreadable. Put all groups of an event into one list.',
      bad: makeWrittenExample(`${formatEventLine('Stop', 'echo')},\n    ${formatEventLine('Stop', 'pwd')}`),
      good: makeSettingsExample({
        Stop: [{ hooks: [{ type: 'command', command: 'echo' }] }, { hooks: [{ type: 'command', command: 'pwd' }] }],
      }),
    },
  },
  {
    ...makeReportedRule('V-HK-28', 'invalid-setting'),
    page: {
      title: 'Settings beside the hooks have values that can be used',
      why: 'A value of the wrong kind is ignored: with "disableAllHooks": "true", which is a string, all hooks still run.',
      bad: { '.claude/settings.json': '{\n  "disableAllHooks": "true"\n}\n' },
      good: { '.claude/settings.json': '{\n  "disableAllHooks": true\n}\n' },
    },
  },
  {
    id: 'V-HK-47',
    name: 'plugin-component-hooks',
    severity: 'warning',
    page: {
      title: 'Hooks of a plugin are in its hooks/hooks.json, or in a skill',
      why: "Claude Code runs no hooks of the frontmatter of a plugin's agents and slash commands; those of its skills it does. Hookline runs all of them.",
      bad: { 'plugin/agents/reviewer.md': makeComponentExample(on('Stop', 'echo called')) },
      good: { 'plugin/skills/reviewer/SKILL.md': makeComponentExample(on('Stop', 'echo called')) },
    },
    findInFile: findUnheardComponents,
  },
  {
    id: 'V-HK-48',
    name: 'unread-file',
    severity: 'warning',
    page: {
      title: 'Hooks are in a file that is read',
      why: 'Hooks of a project are read from .claude/settings.json and .claude/settings.local.json, those of a user from ~/.claude/settings.json, and those of a plugin that is enabled from its hooks/hooks.json. In a file with nearly that name they never run.',
      bad: { '.claude/hooks.json': Object.values(on('Stop', 'echo')).join('') },
      good: on('Stop', 'echo'),
    },
    findInFile: findUnreadFile,
  },
  {
    ...makeReportedRule('V-HK-49', 'misplaced-hooks'),
    page: {
      title: 'Hooks of a settings file are under "hooks"',
      why: 'Hooks are read from "hooks" alone. Events at the root, beside "hooks" or under "Hooks" or "hook" are not read, and their hooks never run.',
      bad: { '.claude/settings.json': `{\n  ${formatEventLine('Stop', 'echo')}\n}\n` },
      good: on('Stop', 'echo'),
    },
    fix: moveIntoHooksFix,
  },
  {
    id: 'V-HK-51',
    name: 'function-module',
    severity: 'note',
    page: {
      title: 'Modules of a plugin run in Claude Code alone',
      why: "A plugin's hooks.json may name modules beside its hooks. Claude Code runs them inside itself, and they answer before any hook: what a module refuses, no PreToolUse hook sees, and what it rewrites, they see rewritten. Hookline shows them, digests them for trust, and never runs them. To have the same everywhere, write a hook.",
      bad: {
        ...makePluginFileExample({ modules: ['./register.ts'] }),
        'plugin/hooks/register.ts': 'export const register = () => {}\n',
      },
      good: makePluginFileExample({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'echo done' }] }] } }),
    },
    findInFile: tellModules,
  },
  {
    id: 'V-HK-52',
    name: 'other-agent',
    severity: 'note',
    page: {
      title: 'A file of another agent is right for that agent',
      why: 'Other agents have files of hooks too, with other events, units and shapes. Such a file is not checked by the rules of Claude Code but by the tables of its agent, as far as they know it: --for names the agent where the path does not.',
      bad: { '.gemini/settings.json': '{ "hooks": { "PreToolUse": [] } }\n' },
      good: on('Stop', 'echo'),
    },
    findInFile: tellForeign,
  },
  {
    ...makeReportedRule('V-HK-53', 'unreadable-file'),
    loss: 'file',
    page: {
      title: 'The file can be read',
      why: 'A file whose permissions keep you out (EACCES), that is a folder or a link to nothing, that leads out of the project, or that a manifest names and that is not there, contributes nothing: none of its hooks runs.',
      bad: { '.claude/settings.json/hooks.json': Object.values(on('Stop', 'echo done')).join('') },
      good: on('Stop', 'echo done'),
    },
  },
]

function tellForeign({ foreign }: Subject): Remark[] {
  if (foreign === null) return []
  const { title, remarks } = foreign
  const message = `This is a file of ${title}: it is checked by what is known of that agent.`
  return [{ place: { line: 1, column: 1 }, message }, ...remarks]
}

function tellModules(subject: Subject): Remark[] {
  const { path, pluginRoot, scope } = subject
  const written = scope === 'plugin' ? findModulesNode(subject) : undefined
  if (written === undefined || pluginRoot === null) return []
  const nodes = listModuleNodes(subject)
  if (nodes.length === 0 || nodes.length !== written.items?.length)
    return [{ place: written, severity: 'warning', message: '"modules" must be a list of paths.' }]
  return nodes.map((node) => {
    const isMissing = readStamp(resolveModulePath(String(node.value), { path, pluginRoot })) === NO_FILE
    const shown = JSON.stringify(node.value)
    if (isMissing) return { place: node, severity: 'warning', message: `The module ${shown} does not exist.` }
    return { place: node, message: `${shown} is a module: ${MODULE_NOTICE}.` }
  })
}

/** A component with the hooks of a settings file in its frontmatter. */
function makeComponentExample(file: Example): string {
  const { hooks } = JSON.parse(Object.values(file).join(''))
  return `---\nname: reviewer\ndescription: Reviews\nhooks: ${JSON.stringify(hooks)}\n---\n\nReview the change.\n`
}

function findUnheardComponents({ scope, pluginRoot, root }: Subject): Remark[] {
  const hooks = root?.fields?.get('hooks')
  if (pluginRoot === null || hooks === undefined || (scope !== 'agent' && scope !== 'command')) return []
  const message = `Claude Code does not run the hooks of a plugin's ${scope}s. Put them into the plugin's hooks/hooks.json.`
  return [{ place: hooks.key, message }]
}

function findUnreadFile({ stray }: Subject): Remark[] {
  if (stray === null) return []
  const { because, fix } = stray
  const what = fix.endsWith('.') ? `. ${fix}` : ` (${fix}).`
  return [
    { place: { line: 1, column: 1 }, message: `Nothing reads this file, so its hooks never run: ${because}${what}` },
  ]
}

/** An event with one command, in one line. */
function formatEventLine(event: string, command: string): string {
  return `"${event}": [{ "hooks": [{ "type": "command", "command": "${command}" }] }]`
}

/** Hooks that stand outside of `hooks`, where they are read: the key renamed, or every event that stands there moved. */
function moveIntoHooksFix(field: FoundField, { text, profile }: FixContext): Edit | null {
  if (isMisspeltKey(field.name, field.node, profile)) return makeRename(field, 'hooks', text)
  const events = [...(field.object.fields ?? [])].filter(([event, { node: value }]) =>
    isMisplacedEvent(event, value, profile),
  )
  const moved = moveIntoHooks(
    text,
    events.map(([event]) => event),
  )
  return moved === null || events.length === 0 ? null : { from: 0, to: text.length, text: moved }
}
