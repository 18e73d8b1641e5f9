import { type Example, pluginFile, type RulePage, settings } from '../rules/example.ts'

/** A command on an event. */
const on = (event: string, command: string, more: object = {}): Example =>
  settings({ [event]: [{ hooks: [{ type: 'command', command, ...more }] }] })

const plugin = (command: string): Example =>
  pluginFile({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } })

// biome-ignore lint/suspicious/noTemplateCurlyInString: this is how settings write it
const PLUGIN_ROOT = '${CLAUDE_PLUGIN_ROOT}'

const GREETING = { 'plugin/scripts/greet.sh': 'echo "Be kind."\n' }

const script = (name: string, text: string): Example => ({ [`.claude/hooks/${name}`]: text })

const REWRITE = `#!/usr/bin/env node
const updatedInput = { command: 'ls' }
const hookSpecificOutput = { hookEventName: 'PreToolUse', updatedInput }
console.log(JSON.stringify({ hookSpecificOutput }))
`

/** Two hooks that rewrite inputs, each under its matcher. */
const rewriting = (one: string, other: string): Example => ({
  ...settings({
    PreToolUse: [
      { matcher: one, hooks: [{ type: 'command', command: 'node .claude/hooks/dry-run.mjs' }] },
      { matcher: other, hooks: [{ type: 'command', command: 'node .claude/hooks/quiet.mjs' }] },
    ],
  }),
  ...script('dry-run.mjs', REWRITE),
  ...script('quiet.mjs', REWRITE),
})

/** Rules about commands and the scripts that they name. */
export const commandPages = {
  'V-HK-06': {
    title: "The command's program can be run",
    why: 'It must be on PATH or be an executable file: chmod +x it. A first line that ends in CRLF, or names an interpreter that is not there, keeps a script from starting. A hook that cannot start decides nothing, so a guard is open.',
    bad: on('SessionStart', 'surely-no-such-program --context'),
    good: on('SessionStart', 'git status --short'),
  },
  'V-HK-07': {
    title: 'A script that the command names exists',
    why: 'Relative paths are seen from the folder the session works in, which may change. Name scripts through "$CLAUDE_PROJECT_DIR", those of a plugin through "$CLAUDE_PLUGIN_ROOT".',
    bad: on('SessionStart', 'sh .claude/hooks/contxt.sh'),
    good: {
      ...on('SessionStart', 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/context.sh'),
      ...script('context.sh', 'git status --short\n'),
    },
  },
  'V-HK-10': {
    title: 'A hook on an event that cannot block does not rely on exit 2',
    why: 'There is nothing left to prevent: stderr goes to the user, and everything goes on. Use an event that can block.',
    bad: on('SessionEnd', 'test -f DONE || exit 2'),
    good: on('TaskCompleted', 'test -f DONE || exit 2'),
  },
  'V-HK-11': {
    title: `A plugin's scripts are named through ${PLUGIN_ROOT}`,
    why: 'A plugin is installed in another place on every machine. A fixed path works for its author only.',
    bad: { ...plugin('sh /opt/plugins/greeter/scripts/greet.sh'), ...GREETING },
    good: { ...plugin(`sh "${PLUGIN_ROOT}/scripts/greet.sh"`), ...GREETING },
  },
  'V-HK-20': {
    title: 'A hook that sends the agent on looks at stop_hook_active',
    why: 'stop_hook_active is true when a hook has already sent the agent on. A hook that blocks without looking may do so again and again, and the agent never ends.',
    bad: {
      ...on('Stop', 'sh .claude/hooks/tests-first.sh'),
      ...script('tests-first.sh', 'npm test >&2 || exit 2\n'),
    },
    good: {
      ...on('Stop', 'sh .claude/hooks/tests-first.sh'),
      ...script(
        'tests-first.sh',
        `grep -q '"stop_hook_active": *true' && exit 0 # it has tried already\nnpm test >&2 || exit 2\n`,
      ),
    },
  },
  'V-HK-21': {
    title: 'A hook in the background decides nothing',
    why: 'With "async" the agent does not wait: when the answer comes, the call has already run, and a decision in it is dropped. What it adds as context still arrives.',
    bad: on('PreToolUse', 'grep -q "rm -rf" && exit 2', { async: true }),
    good: on('PreToolUse', 'grep -q "rm -rf" && exit 2'),
  },
  'V-HK-22': {
    title: "Only one hook rewrites a tool's input",
    why: 'Hooks of one event see the same input, and each updatedInput replaces the whole of it: of two, only the last in order counts. Make them one hook, or let their matchers differ.',
    bad: rewriting('Bash', 'Bash'),
    good: rewriting('Bash', 'Write'),
  },
  'V-HK-24': {
    title: 'Paths in variables stand in quotes',
    why: 'A shell splits what stands outside quotes at every space. In a folder with a space in its name the script is then not found.',
    bad: {
      ...on('SessionStart', 'sh $CLAUDE_PROJECT_DIR/.claude/hooks/context.sh'),
      ...script('context.sh', 'git status --short\n'),
    },
    good: {
      ...on('SessionStart', 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/context.sh'),
      ...script('context.sh', 'git status --short\n'),
    },
  },
} as const satisfies Record<string, RulePage>
