import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/check/finding.ts'
import { loadProfile, PROFILE_NAMES, type ProfileName } from '../../src/protocol/profiles.ts'
import { findingsIn, projectWith, textOf, validate } from '../support/validate.ts'

/** A settings file with one command on an event. */
function hook(event: string, command: string, more: object = {}): Record<string, string> {
  return {
    '.claude/settings.json': JSON.stringify({
      hooks: { [event]: [{ hooks: [{ type: 'command', command, ...more }] }] },
    }),
  }
}

/** What rules find in a command and the scripts of its project; that a program is missing here is not looked at. */
async function namesIn(files: Record<string, string>, profile?: ProfileName): Promise<string[]> {
  return (await found(files, profile)).map(({ name }) => name)
}

async function found(files: Record<string, string>, profile?: ProfileName): Promise<Finding[]> {
  return (await findingsIn(files, profile)).filter(
    ({ name }) => !['program-cannot-run', 'missing-script'].includes(name),
  )
}

/** The command of a settings file after `validate --fix`. */
async function fixed(command: string, event = 'PreToolUse'): Promise<string> {
  const world = await projectWith(hook(event, command))
  await validate(world, '--fix')
  return JSON.parse(await textOf(world, '.claude/settings.json')).hooks[event][0].hooks[0].command
}

const profiles = await Promise.all(PROFILE_NAMES.map(async (name) => [name, await loadProfile(name)] as const))
const EVENTS = profiles.flatMap(([name, { events }]) =>
  [...events.values()].map((row) => [name, row.name, row] as const),
)

describe('a script that is named by a relative path', () => {
  it.each([
    '.claude/hooks/x.sh',
    'bash .claude/hooks/x.sh --fast',
    'node ./.claude/hooks/x.mjs',
    'python3 x.py',
    'uv run .claude/hooks/x.py',
    '[ -x .claude/hooks/x.sh ] && .claude/hooks/x.sh',
    'if true; then sh scripts/x.sh; fi',
    `bash -c 'sh .claude/hooks/x.sh'`,
    'env A=1 sh .claude/hooks/x.sh',
  ])('is found: %s', async (command) => {
    for (const profile of PROFILE_NAMES)
      expect(await namesIn(hook('Stop', command), profile)).toEqual(['relative-script'])
  })

  it.each([
    '"$CLAUDE_PROJECT_DIR"/.claude/hooks/x.sh',
    'cd "$CLAUDE_PROJECT_DIR" && sh .claude/hooks/x.sh',
    'cd "$(git rev-parse --show-toplevel)" && sh .claude/hooks/x.sh',
    'sh ~/.claude/hooks/x.sh',
    'sh /opt/x.sh',
    'npx eslint src/index.js',
    'jq -r .tool_input.file_path | grep -q .claude/settings.json',
    'git diff --quiet .claude/hooks/x.sh',
    'mkdir -p .claude/logs',
    'node -e "0" x.mjs',
    'bash "__TOOLS__/x.sh"',
    'node "{{PROJECT_PATH}}/.claude/hooks/x.cjs"',
    'python3 "$(git rev-parse --show-toplevel)/x.py"',
  ])('is not: %s', async (command) => {
    expect(await namesIn(hook('Stop', command))).toEqual([])
  })

  it('is found in arguments that no shell reads', async () => {
    expect(await namesIn(hook('Stop', 'node', { args: ['.claude/hooks/x.mjs'] }), 'current')).toEqual([
      'relative-script',
    ])
    expect(await namesIn(hook('Stop', 'node', { args: [`\${CLAUDE_PROJECT_DIR}/x.mjs`] }), 'current')).toEqual([])
  })

  it.each([
    ['sh .claude/hooks/x.sh --fast', 'sh "$CLAUDE_PROJECT_DIR"/.claude/hooks/x.sh --fast'],
    ['./x.sh && node "./y z.mjs"', '"$CLAUDE_PROJECT_DIR"/x.sh && node "$CLAUDE_PROJECT_DIR"/"y z.mjs"'],
  ])('is named from the project by --fix: %s', async (command, expected) => {
    expect(await fixed(command)).toBe(expected)
  })
})

describe('a variable that no client sets', () => {
  it.each([
    ['echo "$CLAUDE_TOOL_INPUT" | grep -q rm', '.tool_input'],
    ['npx prettier --write $CLAUDE_FILE_PATHS', '.tool_input.file_path'],
    ['echo "$TOOL_NAME" >> log', '.tool_name'],
    ['check --output "$TOOL_OUTPUT"', '.tool_response'],
    [`if [ -n "\${CLAUDE_TOOL_INPUT_FILE_PATH:-}" ]; then true; fi`, '.tool_input.file_path'],
    [`bash -c 'npx eslint "$FILE_PATH"'`, '.tool_input.file_path'],
    ['node -e "console.error(process.env.CLAUDE_TOOL_NAME)"', '.tool_name'],
    [`python3 -c 'import os; os.environ["CLAUDE_TOOL_INPUT"]'`, '.tool_input'],
  ])('is found, with where to read it: %s', async (command, field) => {
    const [finding, ...others] = await found(hook('PostToolUse', command))
    expect(finding).toMatchObject({ name: 'unset-variable', message: expect.stringContaining(`jq -r '${field}'`) })
    expect(others).toEqual([])
  })

  it.each([
    'FILE_PATH=$(jq -r .tool_input.file_path); npx eslint "$FILE_PATH"',
    `bash -c 'FILE_PATH=$(jq -r .tool_input.file_path) && npx eslint "$FILE_PATH"'`,
    'jq -r .tool_name | while read -r TOOL_NAME; do log "$TOOL_NAME"; done',
    `INPUT="\${CLAUDE_TOOL_INPUT:-$(cat)}"; grep -q rm`,
    '. /opt/lib.sh; check "$TOOL_INPUT"',
    'echo "$CLAUDE_PROJECT_DIR" "$CLAUDE_CODE_ENTRYPOINT" "$CLAUDE_PID" "$MY_FILE" >> log',
    'node -e "use(process.env.CLAUDE_TOOL_INPUT ?? read(0))"',
    `grep -q '$CLAUDE_TOOL_INPUT'`,
  ])('is not: %s', async (command) => {
    expect(await namesIn(hook('PostToolUse', command))).toEqual([])
  })

  it('is found in a script, which is named', async () => {
    const files = {
      ...hook('PostToolUse', 'sh "$CLAUDE_PROJECT_DIR"/format.sh'),
      'format.sh': '# $TOOL_NAME\nnpx eslint "$CLAUDE_FILE_PATH"\n',
    }
    expect(await found(files)).toMatchObject([
      { file: 'format.sh', line: 2, message: expect.stringMatching(/^\$CLAUDE_FILE_PATH is never set/) },
    ])
  })

  it('is not one that settings set', async () => {
    const settings = {
      env: { TOOL_NAME: 'x' },
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'log "$TOOL_NAME"' }] }] },
    }
    expect(await namesIn({ '.claude/settings.json': JSON.stringify(settings) })).toEqual([])
  })
})

describe('bash in a command that sh runs', () => {
  it.each([
    '[[ -f x ]] && true',
    'grep -q x <<< "$(cat)"',
    'command -v ruff &>/dev/null',
    'set -euo pipefail; true',
    `x=$(cat); echo "\${x,,}" >> log`,
    'x=(a b); true',
    'diff <(sort a) <(sort b)',
    '[ "$(cat)" == x ] && true',
    'source /etc/profile',
    'sh -c "[[ -f x ]]"',
  ])('is found: %s', async (command) => {
    expect(await namesIn(hook('PreToolUse', command))).toEqual(['bash-in-sh'])
  })

  it.each([
    `bash -c '[[ -f x ]] && true'`,
    '[ "$(cat)" = x ] && true',
    `x=$(cat); echo "\${x%.ts}" "\${x:-y}" "$((1 + 1))" >> log`,
    'case "$(cat)" in *rm*) exit 2 ;; esac',
    'command -v ruff >/dev/null 2>&1',
    `echo '[[ x ]]' >> log`,
    '. /etc/profile',
  ])('is not: %s', async (command) => {
    expect(await namesIn(hook('PreToolUse', command))).toEqual([])
  })

  it('is found in a script by the shell that reads it', async () => {
    const script = (first: string) => ({ 'x.sh': `${first}[[ -f y ]]\n` })
    const by = (command: string, first = '') => namesIn({ ...hook('Stop', command), ...script(first) })
    expect(await by('sh "$CLAUDE_PROJECT_DIR"/x.sh')).toEqual(['bash-in-sh'])
    expect(await by('"$CLAUDE_PROJECT_DIR"/x.sh', '#!/bin/sh\n')).toEqual(['bash-in-sh'])
    expect(await by('bash "$CLAUDE_PROJECT_DIR"/x.sh')).toEqual([])
    expect(await by('"$CLAUDE_PROJECT_DIR"/x.sh', '#!/usr/bin/env bash\n')).toEqual([])
  })

  it('is handed to bash by --fix', async () => {
    expect(await fixed(`[[ -f 'a b' ]] && exit 0`)).toBe(`bash -c '[[ -f '\\''a b'\\'' ]] && exit 0'`)
  })
})

describe('a refusal that refuses nothing', () => {
  it.each([
    'grep -q rm && echo "BLOCKED: rm" >&2 && exit 1',
    'if grep -q rm; then echo "Operation not allowed"; exit 1; fi',
    'deny() { echo "Denied: $1" >&2; exit 1; }; deny rm',
    `echo '{"permissionDecision": "deny"}'`,
    `echo '{"hookSpecificOutput": {"permissionDecision": "deny"}}'`,
    `echo '{"approve": false, "reason": "no"}'`,
    `python3 -c 'import sys\nprint("BLOCKED", file=sys.stderr)\nsys.exit(1)'`,
  ])('is found: %s', async (command) => {
    for (const profile of PROFILE_NAMES)
      expect(await namesIn(hook('PreToolUse', command), profile)).toEqual(['refuses-nothing'])
  })

  it.each([
    'grep -q rm && echo "BLOCKED: rm" >&2 && exit 2',
    'jq -e . >/dev/null || { echo "Cannot read the event" >&2; exit 1; }',
    `echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}'`,
    `echo '{"decision": "block", "reason": "no"}'`,
    `python3 -c 'import sys\nprint("BLOCKED", file=sys.stderr)\nsys.exit(2)'`,
  ])('is not: %s', async (command) => {
    expect(await namesIn(hook('PreToolUse', command))).toEqual([])
  })

  it('is "decision": "deny" where only block counts', async () => {
    const command = `echo '{"decision": "deny", "reason": "no"}'`
    expect(await namesIn(hook('PreToolUse', command), 'classic')).toEqual([])
    expect(await namesIn(hook('PreToolUse', command), 'current')).toEqual(['refuses-nothing'])
  })

  it('is "decision": "ask", wherever it stands among others', async () => {
    const command = `if true; then echo '{"decision":"block"}'; else echo "{\\"decision\\":\\"ask\\"}"; fi`
    for (const profile of PROFILE_NAMES)
      expect(await found(hook('PreToolUse', command), profile)).toMatchObject([
        { message: expect.stringContaining('"permissionDecision": "ask"') },
      ])
  })

  it('is no exit 1 of a hook whose failure blocks', async () => {
    const command = 'grep -q rm && echo "BLOCKED: rm" >&2 && exit 1'
    expect(await namesIn(hook('PreToolUse', command, { onFailure: 'block' }))).toEqual([])
  })

  it.each(EVENTS)('is an exit 1 exactly where exit 2 blocks: %s %s', async (profile, event, row) => {
    const names = await namesIn(hook(event, 'echo "Blocked" >&2; exit 1'), profile)
    expect(names.includes('refuses-nothing')).toBe(row.blocksOn === 'exit-2')
  })
})

describe('the result of a tool', () => {
  it('is not called tool_output', async () => {
    expect(await namesIn(hook('PostToolUse', `jq -e '.tool_output.stdout'`))).toEqual(['unknown-input-field'])
    expect(await namesIn(hook('PostToolUse', `jq -e '.tool_response // .tool_output'`))).toEqual([])
    expect(await namesIn(hook('PreToolUse', `jq -e '.tool_output'`))).toEqual([])
    expect(await namesIn(hook('PostToolUse', `python3 -c 'data.get("tool_result")'`))).toEqual(['unknown-input-field'])
    expect(await namesIn(hook('PostToolUse', `python3 -c 'block["type"] == "tool_result"'`))).toEqual([])
  })
})

describe('plain output', () => {
  const SENTENCE = 'Remember to run the tests now.'

  it.each(EVENTS)(
    'for the model is found where it is only shown in the verbose view: %s %s',
    async (profile, event, row) => {
      const names = await namesIn(hook(event, `echo "${SENTENCE}"`), profile)
      const isLost =
        row.plainStdout === 'verbose' && (row.answerFields.includes('additionalContext') || row.reasonTo === 'model')
      expect(names).toEqual(isLost ? ['unread-output'] : [])
    },
  )

  it.each([
    `echo "${SENTENCE}" >&2`,
    `echo "${SENTENCE}" >> log`,
    `echo "${SENTENCE}" | tee log`,
    `x=$(echo "${SENTENCE}"); true`,
    `{ echo "${SENTENCE}"; } >&2`,
    `exec >&2; echo "${SENTENCE}"`,
    'echo done',
    'echo "$REPORT"',
    'echo some_long_name another_long_name',
    `echo '{"decision": "block", "reason": "${SENTENCE}"}'`,
    `printf '%s\\n' '{"systemMessage": "${SENTENCE}"}'`,
    `cat <<EOF\n{"systemMessage": "${SENTENCE}"}\nEOF`,
    `say() { echo "${SENTENCE}"; }; say >&2`,
  ])('is not found: %s', async (command) => {
    expect(await namesIn(hook('PostToolUse', command))).toEqual([])
  })

  it.each([
    `if true; then echo '${SENTENCE}'; fi`,
    `cat <<EOF\n${SENTENCE}\nEOF`,
    `grep -q x && printf '${SENTENCE}\\n' || true`,
  ])('is found in: %s', async (command) => {
    expect(await namesIn(hook('PostToolUse', command))).toEqual(['unread-output'])
  })
})

describe('the reason of exit 2', () => {
  it.each([
    `grep -q rm && echo 'Not rm.' && exit 2`,
    `if grep -q rm; then echo 'Not rm.'; exit 2; fi`,
    `block() { echo "Not $1."; exit 2; }; block rm`,
    `cat <<EOF\nNot rm.\nEOF\nexit 2`,
    `python3 -c 'import sys\nprint("Not rm.")\nsys.exit(2)'`,
    `node -e 'console.log("Not rm.")\nprocess.exit(2)'`,
  ])('is found on stdout: %s', async (command) => {
    expect(await namesIn(hook('PreToolUse', command))).toEqual(['reason-on-stdout'])
  })

  it.each([
    `grep -q rm && echo 'Not rm.' >&2 && exit 2`,
    `{ echo 'Not rm.'; exit 2; } >&2`,
    `echo checking; echo 'Not rm.' >&2; exit 2`,
    `echo '{"systemMessage": "no"}'; exit 2`,
    `node -e 'console.error("Not rm.")\nprocess.exit(2)'`,
    `exit 2`,
    `case $1 in --help) printf '%s\\n' "$usage" || exit 2 ;; esac`,
    `grep -q rm && echo fine || exit 2`,
  ])('is not: %s', async (command) => {
    expect(await namesIn(hook('PreToolUse', command))).toEqual([])
  })

  it('is sent to stderr by --fix', async () => {
    expect(await fixed(`grep -q rm && echo 'Not rm.' && exit 2`)).toBe(`grep -q rm && echo 'Not rm.' >&2 && exit 2`)
    expect(await fixed(`block() { echo "Not $1."; exit 2; }; block rm`)).toBe(
      `block() { echo "Not $1." >&2; exit 2; }; block rm`,
    )
  })
})

describe('an "if" with alternatives', () => {
  const names = (rule: string): Promise<string[]> => namesIn(hook('PreToolUse', 'true', { if: rule }), 'current')

  it.each([
    'Bash(git *)|Bash(gh *)',
    'Bash(git *), Bash(gh *)',
    'Edit(*.ts|*.js)',
    'Write(*.{ts,js})',
    'Bash(git *|gh *)',
  ])('is found: %s', async (rule) => {
    expect(await names(rule)).toEqual(['if-alternatives'])
  })

  it.each([
    'Bash(git *)',
    'Bash(curl * | sh)',
    'Bash(*|sh)',
    'Edit(src/**)',
    'Bash(echo "a), Bash")',
    'Bash(x && y *)',
  ])('is not: %s', async (rule) => {
    expect(await names(rule)).toEqual([])
  })
})

describe('hooks that ask a model', () => {
  it.each(EVENTS)('are found where they cannot run: %s %s', async (profile, event, row) => {
    for (const type of ['prompt', 'agent']) {
      const settings = { hooks: { [event]: [{ hooks: [{ type, prompt: 'Is this harmless?' }] }] } }
      const names = await namesIn({ '.claude/settings.json': JSON.stringify(settings) }, profile)
      const runs = row.hookTypes === 'all' || row.hookTypes.includes(type)
      expect(names).toEqual(runs ? [] : ['type-cannot-run'])
    }
  })
})

describe('a file with hooks that nothing reads', () => {
  const hooks = JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: 'command', command: 'nonsense && exit 2' }] }] } })

  it.each(['.claude/hooks.json', '.claude/setting.json', '.claude/hooks/hooks.json', 'claude/settings.json'])(
    'is found, and its hooks are not judged: %s',
    async (file) => {
      const findings = await findingsIn({ [file]: hooks })
      expect(findings).toMatchObject([
        { name: 'unread-file', file, message: expect.stringContaining('.claude/settings.json') },
      ])
    },
  )

  it.each(['.claude/settings.example.json', 'hooks/hooks.json', '.claude/notes.json'])('is not: %s', async (file) => {
    expect(await findingsIn({ [file]: file.endsWith('notes.json') ? '{"a": 1}' : hooks })).toEqual([])
  })

  it('is one among the files that are shown, with its first line', async () => {
    const { code, stdout } = await validate(await projectWith({ '.claude/hooks.json': hooks }))
    expect(code).toBe(0)
    expect(stdout).toContain('.claude/hooks.json\n  1:1  warning  V-HK-48 unread-file')
  })
})

describe('stdin', () => {
  it('is better read without its name', async () => {
    expect(await found(hook('Stop', 'cat /dev/stdin >> log'))).toMatchObject([
      { name: 'stdin-by-name', severity: 'note' },
    ])
    expect(await namesIn(hook('Stop', `node -e 'fs.readFileSync("/dev/stdin")'`))).toEqual(['stdin-by-name'])
    expect(await namesIn(hook('Stop', 'cat >> log # not /dev/stdin'))).toEqual([])
  })
})

describe('a script for several events', () => {
  const GUARD = 'case "$(jq -r .hook_event_name)" in\n  PreToolUse) exit 2 ;;\n  *) cat >> log ;;\nesac\n'
  const BY_ARGUMENT = 'case "$1" in\n  pre-tool-use) exit 2 ;;\n  session-end) cat >> log ;;\nesac\n'
  const NODE = "if (process.argv[2] === 'PreToolUse') process.exit(2)\n"

  it.each([
    ['sh "$CLAUDE_PROJECT_DIR"/all.sh', GUARD],
    ['sh "$CLAUDE_PROJECT_DIR"/all.sh session-end', BY_ARGUMENT],
    ['node "$CLAUDE_PROJECT_DIR"/all.sh SessionEnd', NODE],
  ])('is not judged by what it does for another one: %s', async (command, text) => {
    expect(await namesIn({ ...hook('SessionEnd', command), 'all.sh': text })).toEqual([])
  })

  it('is judged by what it does for this one, when it names no other', async () => {
    expect(await namesIn({ ...hook('SessionEnd', 'sh "$CLAUDE_PROJECT_DIR"/all.sh'), 'all.sh': 'exit 2\n' })).toEqual([
      'exit-2-cannot-block',
    ])
  })
})
