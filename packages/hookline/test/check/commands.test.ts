import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { check } from '../../src/check/check.ts'
import { findSubjectsInPlay } from '../../src/check/find-subjects.ts'
import type { Finding } from '../../src/check/finding.ts'
import { makeProfileSource } from '../../src/engine/profiles.ts'
import { makeWorld } from '../support/project.ts'
import { findingsIn, oneCommand } from '../support/validate.ts'

/** Variables as settings write them. */
const [PROJECT, PLUGIN, HOME] = ['CLAUDE_PROJECT_DIR', 'CLAUDE_PLUGIN_ROOT', 'HOME'].map((name) => `\${${name}}`)

/** Relative paths and words of bash are short to write here, and have tests of their own. */
const WRITTEN_SO = ['relative-script', 'bash-in-sh']

async function found(files: Record<string, string>): Promise<Finding[]> {
  return (await findingsIn(files)).filter(({ name }) => !WRITTEN_SO.includes(name))
}

/** Rules that a command on an event that cannot block breaks. */
async function rulesOf(command: string, files: Record<string, string> = {}): Promise<string[]> {
  const findings = await found({ ...oneCommand('SessionStart', command), ...files })
  return findings.map(({ rule }) => rule)
}

const SCRIPT = { 'run.sh': '#!/bin/sh\nexit 0\n', 'tools/check.py': 'pass\n', 'tools/check.mjs': '' }

describe('what a command starts', () => {
  it.each([
    'true',
    ': nothing',
    'echo "$(surely-missing)" | surely-missing',
    'X=1 Y="a b" sh ./run.sh',
    'if surely-missing; then surely-missing; fi',
    'command -v surely-missing >/dev/null && surely-missing',
    '[ -x ./gone ] && ./gone',
    'surely-missing || true',
    'cat && surely-missing || echo gone',
    'cd sub && ./gone.sh',
    '(surely-missing)',
    'f() { surely-missing; }; f',
    '$TOOL --fix; `surely-missing`',
    'cat <<EOF\nsurely-missing\nEOF',
    'PATH=/opt/x:$PATH surely-missing',
    'eval surely-missing',
    'for file in *.js; do surely-missing "$file"; done',
    'node -e "surely()" gone.mjs',
    'node --import tsx gone.ts',
    'python3 -m surely_missing',
    'sh -c "surely-missing"',
    'bash -lc gone.sh',
    './run.sh --config gone.json',
    'sh ./run.sh gone.sh',
    '"$CLAUDE_PROJECT_DIR"/run.sh',
    `"${PROJECT}/run.sh" x`,
    'python3 tools/check.py',
    'node --no-warnings tools/check.mjs',
    'env A=1 sh ./run.sh',
    'exec ./run.sh',
    '. ./run.sh',
    'sh ./run*.sh',
    'sh "$UNKNOWN/gone.sh"',
    "cat | sed 's/surely; missing/x/' > /dev/null 2>&1",
    '# surely-missing\ntrue',
    'true # surely-missing; gone',
    'true \\\n  && echo yes',
    'export PATH="$PATH:/opt/x"; surely-missing',
    '. ./run.sh; surely-missing',
    'surely-missing() { true; }; surely-missing',
    'case $1 in *) surely-missing ;; esac',
    'x=$HOME/a; case $HOME/a in $HOME/*) [[ -f $HOME/a ]] ;; esac',
    'cat <<EOF\n$HOME\nEOF',
  ])('passes: %s', async (command) => {
    expect(await rulesOf(command, SCRIPT)).toEqual([])
  })

  it.each([
    ['surely-missing', 'V-HK-06'],
    ['true; surely-missing --x', 'V-HK-06'],
    ['cat | surely-missing', 'V-HK-06'],
    ['X=1 surely-missing', 'V-HK-06'],
    ['exec surely-missing', 'V-HK-06'],
    ['./plain.sh', 'V-HK-06'],
    ['./crlf.sh', 'V-HK-06'],
    ['./interpreter.sh', 'V-HK-06'],
    ['./env.sh', 'V-HK-06'],
    ['./gone.sh', 'V-HK-07'],
    ['sh ./gone.sh', 'V-HK-07'],
    ['bash -eu scripts/gone', 'V-HK-07'],
    ['node gone.mjs', 'V-HK-07'],
    ['"$CLAUDE_PROJECT_DIR"/gone.sh', 'V-HK-07'],
    ['. ./gone.sh', 'V-HK-07'],
    ['true && python3 -u gone.py', 'V-HK-07'],
    ['sh ./folder.sh', 'V-HK-07'],
    [`sh "${PLUGIN}/a.sh"`, 'V-HK-07'],
    ['sh $CLAUDE_PROJECT_DIR/plain.sh', 'V-HK-24'],
    ['echo X=1 >> $CLAUDE_ENV_FILE', 'V-HK-24'],
    [`cat ${HOME}/.profile`, 'V-HK-24'],
    ['if true; then cat $HOME/.profile; fi', 'V-HK-24'],
    ['echo "$(cat $HOME/.profile)"', 'V-HK-24'],
    ['for file in $PWD/*; do echo "$file"; done', 'V-HK-24'],
    ['cat <<EOF\ntext\nEOF\nsurely-missing', 'V-HK-06'],
    ['exit 2', 'V-HK-10'],
    ['node stop.mjs', 'V-HK-10'],
    ['python3 stop.py', 'V-HK-10'],
  ])('finds: %s', async (command, rule) => {
    const files = {
      'plain.sh': 'exit 0\n',
      'crlf.sh': '#!/bin/sh\r\nexit 0\r\n',
      'interpreter.sh': '#!/no/such/interpreter\n',
      'env.sh': '#!/usr/bin/env surely-missing\n',
      'folder.sh/file': '',
      'stop.mjs': 'process.exitCode = 2\n',
      'stop.py': 'import sys\nsys.exit(2)\n',
    }
    expect(await rulesOf(command, files)).toEqual([rule])
  })

  it('names what keeps a script from starting', async () => {
    const files = { 'crlf.sh': '#!/bin/sh\r\n', 'env.sh': '#!/usr/bin/env surely-missing\n' }
    const messages = async (command: string): Promise<string[]> =>
      (await found({ ...oneCommand('SessionStart', command), ...files })).map(({ message }) => message)
    expect(await messages('./crlf.sh')).toEqual([expect.stringContaining('CRLF')])
    expect(await messages('./env.sh')).toEqual([expect.stringContaining('surely-missing')])
    expect(await messages('surely-missing x')).toEqual([expect.stringContaining('surely-missing on PATH')])
  })

  it.each([
    '# never exit 2 here\nexit 0\n',
    'exit 0 # never exit 2 here\n',
    'case $1 in\n  a) exit 0 ;; # or exit 2\nesac\n',
    'if true; then # exit 2\n  list=(a # exit 2\n b); fi\n',
  ])('does not take a comment in a script for what the script does: %j', async (script) => {
    for (const command of ['sh run.sh', './run.sh', '. ./run.sh']) {
      const findings = await rulesOf(command, { 'run.sh': command === './run.sh' ? `#!/bin/sh\n${script}` : script })
      expect(findings).toEqual([])
    }
    expect(await rulesOf(script)).toEqual([])
  })

  it.each([
    'case $1 in\n  *rm*) exit 2 ;;\nesac\n',
    'case $1 in\n*) exit 2\nesac\n',
    'case $1 in\n  /*) exit 2 ;;\n  //*) exit 0 ;;\nesac\n',
    'case $1 in\n  "#"*) exit 2 ;;\n  \\#*) exit 0 ;;\nesac\n',
    'test "$#" -gt 0 && exit 2\n',
    '(( 16#ff > $# )) && exit 2\n',
    'cat >&2 <<EOF && exit 2\n# refused\nEOF\n',
  ])('does not take what a script does for a comment: %j', async (script) => {
    for (const command of ['sh run.sh', './run.sh', '. ./run.sh'])
      expect(await rulesOf(command, { 'run.sh': `#!/bin/sh\n${script}` })).toEqual(['V-HK-10'])
    expect(await rulesOf(script)).toEqual(['V-HK-10'])
  })
})

describe('the home of --home', () => {
  it.each(['~/hooks/guard.sh', '"$HOME"/hooks/guard.sh', `"${HOME}/hooks/guard.sh"`])(
    'is where %s lies',
    async (path) => {
      const world = await makeWorld({
        'home/.claude/settings.json': oneCommand('SessionStart', `sh ${path}`)['.claude/settings.json'] ?? '',
        'home/hooks/guard.sh': 'true\n',
      })
      const rules = async () =>
        (await check(await findSubjectsInPlay({ ...world, plugins: [] }, makeProfileSource(undefined)))).map(
          ({ rule }) => rule,
        )
      expect(await rules()).toEqual([])
      await rm(join(world.home, 'hooks', 'guard.sh'))
      expect(await rules()).toEqual(['V-HK-07'])
    },
  )
})

describe('a plugin', () => {
  const plugin = (command: string): Record<string, string> => ({
    'plugin/hooks/hooks.json': JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command }] }] } }),
    'plugin/scripts/a.sh': '#!/bin/sh\n',
  })

  it.each([`sh "${PLUGIN}/scripts/a.sh"`, '"$CLAUDE_PLUGIN_ROOT"/scripts/a.sh', '/bin/echo hello'])(
    'passes: %s',
    async (command) => {
      expect(await findingsIn(plugin(command))).toEqual([])
    },
  )

  it('is told how to name a script that it names from the current folder', async () => {
    const findings = await findingsIn(plugin('sh ./scripts/a.sh'))
    expect(findings.map(({ rule }) => rule)).toEqual(['V-HK-07', 'V-HK-11'])
    expect(findings[1]?.message).toContain(`"${PLUGIN}/scripts/a.sh"`)
  })

  it('is told of a script that its root does not have', async () => {
    const findings = await findingsIn(plugin(`sh "${PLUGIN}/scripts/b.sh"`))
    expect(findings.map(({ rule }) => rule)).toEqual(['V-HK-07'])
  })
})

describe('what scripts say', () => {
  const onStop = async (script: string, more = {}): Promise<string[]> => {
    const files = { ...oneCommand('Stop', 'node stop.mjs'), 'stop.mjs': script, ...more }
    return (await found(files)).map(({ rule }) => rule)
  }

  it.each([
    'process.exit(2)',
    "console.log(JSON.stringify({ decision: 'block', reason: 'go on' }))",
    'console.log("{\\"decision\\":\\"block\\"}")',
  ])('a hook that blocks the end without looking at stop_hook_active is found: %s', async (script) => {
    expect(await onStop(script)).toEqual(['V-HK-20'])
    expect(await onStop(`if (!input.stop_hook_active) ${script}`)).toEqual([])
  })

  it('a hook that only watches the end is left alone', async () => {
    expect(await onStop('console.log("bye")')).toEqual([])
  })

  it.each(['Stop', 'SubagentStop'])('an agent with a Stop hook is checked as %s', async (event) => {
    const files =
      event === 'Stop'
        ? {
            '.claude/agents/a.md':
              '---\nhooks:\n  Stop:\n    - hooks:\n        - {type: command, command: exit 2}\n---\n',
          }
        : oneCommand(event, 'exit 2')
    expect(await findingsIn(files)).toMatchObject([{ rule: 'V-HK-20' }])
  })

  it.each([
    ['exit 2', true],
    ['echo \'{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny"}}\'', true],
    ['echo \'{"continue": false}\'', true],
    ['echo \'{"hookSpecificOutput":{"hookEventName":"PreToolUse","additionalContext":"ok"}}\'', false],
  ])('a decision in the background is found: %s', async (command, found) => {
    const settings = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command, async: true }] }] } }
    const findings = await findingsIn({ '.claude/settings.json': JSON.stringify(settings) })
    expect(findings.map(({ rule }) => rule)).toEqual(found ? ['V-HK-21'] : [])
  })
})
