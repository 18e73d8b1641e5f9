import { isAbsolute, join, resolve } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CallPart, ToolRule } from '../../src/bridges/bridge.ts'
import { chooseParts } from '../../src/bridges/call/parts.ts'
import { AGENTS, findBridge } from '../../src/bridges/list.ts'
import { commands } from '../support/project.ts'
import { FATES } from './fates.ts'
import { ask, HOSTS, worldWith } from './host.ts'

const CWD = resolve('/home/ada/project')

const tablesOf = (agent: string): readonly ToolRule[] => {
  const { tools = [], install } = findBridge(agent) ?? {}
  return [...tools, ...(install?.loadsClaude?.calls?.tools ?? [])]
}

/** Every tool of every agent that takes a patch, in a field or as its input. */
const PATCH_TOOLS = AGENTS.flatMap((agent) =>
  tablesOf(agent).flatMap((rule) =>
    'parts' in rule && (rule.parts === 'patch' || rule.parts === 'patchOrEdit') ? [{ agent, rule }] : [],
  ),
)
const SHELL_TOOLS = AGENTS.flatMap((agent) =>
  tablesOf(agent).flatMap((rule) => ('parts' in rule && rule.parts === 'shellPatch' ? [{ agent, rule }] : [])),
)

/** Files that hooks are shown; null where the call is refused as unreadable. */
async function shownFiles(rule: ToolRule, text: string): Promise<string[] | null> {
  const field = 'field' in rule ? rule.field : null
  const input = field === null ? text : { [field]: text }
  const parts = await chooseParts([rule], rule.host).split(input, { name: rule.host, cwd: CWD, base: CWD })
  return parts === null || typeof parts === 'string' ? null : filesIn(parts)
}

const filesIn = (parts: readonly CallPart[]): string[] =>
  parts.flatMap(({ calls: [{ input }] }) => (typeof input.file_path === 'string' ? [input.file_path] : []))

/** Whitespace as Rust trims it: U+0085 is some, U+FEFF is none. */
const trimmed = (line: string): string =>
  line.replaceAll(/^[\s\u0085]+|[\s\u0085]+$/g, (blanks) => (blanks.includes('\ufeff') ? blanks : ''))

const CHANGE = /^\*\*\* (?:Add|Update|Delete) File: (.*)$/

/** Files that Codex changes: headers count after blanks, except inside an update. */
function filesForCodex(text: string): string[] {
  const files: string[] = []
  let isUpdate = false
  for (const raw of text.split('\n')) {
    const line: string = isUpdate ? raw.replace(/[\s\u0085]+$/, '') : trimmed(raw)
    const path = CHANGE.exec(line)?.[1] ?? (isUpdate ? /^\*\*\* Move to: (.*)$/.exec(line)?.[1] : undefined)
    if (path !== undefined) files.push(path)
    if (CHANGE.test(line)) isUpdate = line.startsWith('*** Update')
  }
  return files
}

/** Files that a forgiving reader in JavaScript changes: unknown lines are skipped, paths are trimmed, the first end counts. */
function filesForOthers(text: string): string[] {
  const lines = text.trim().split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
  const begin = lines.findIndex((line) => line.trim() === '*** Begin Patch')
  const end = lines.findIndex((line) => line.trim() === '*** End Patch')
  return lines
    .slice(begin + 1, end)
    .flatMap((line) => /^\*\*\* (?:(?:Add|Update|Delete) File|Move to):(.*)$/.exec(line)?.[1]?.trim() ?? [])
}

const awkwardLine = fc.oneof(
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.constantFrom('+x', ' x', '-x'), fc.constantFrom('\r', '\v', '\f', '\u0085', '\u2028', '\u2029'))
      .map(([line, separator]) => `${line}${separator}*** Add File: hidden${separator}+y`),
  },
  { weight: 6, arbitrary: fc.constantFrom('+x', '-x', ' x', '', '@@', '@@ f', '*** End of File', '+*** Add File: t') },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom('', '', '', ' ', '\t', '\u0085', '\ufeff'),
        fc.constantFrom('*** Add File: ', '*** Update File: ', '*** Delete File: ', '*** Move to: ', '*** Add File:'),
        fc.constantFrom('a', 'b/c', '../d', '/e', './a', ' f', 'g h', '~/i', 'j\u0000', 'k\\l'),
        fc.constantFrom('', '', '', ' ', '\t', '\r', '\u0085', '\ufeff'),
      )
      .map((parts) => parts.join('')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('*** Environment ID: x', '*** End Patch', ' *** End Patch', '*** Begin Patch'),
  },
)
const section = (path: string): fc.Arbitrary<readonly string[]> =>
  fc.constantFrom(
    [`*** Add File: ${path}`, '+x', '+'],
    [`*** Delete File: ${path}`],
    [`*** Update File: ${path}`, '@@', ' x', '-y', '+z'],
    [`*** Update File: ${path}`, `*** Move to: moved/${path}`, '@@ f', '-y', '*** End of File'],
  )
/** Patches that are right, with lines among them that are not. */
const awkwardPatch = fc
  .tuple(
    fc.constantFrom('', '', '', '\n', ' ', "<<'EOF'\n"),
    fc.tuple(section('one'), section('two/2'), section('../three')),
    fc.array(fc.tuple(awkwardLine, fc.nat(15)), { maxLength: 2 }),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([start, sections, more, newline]) => {
    const lines = sections.flat()
    for (const [line, at] of more) lines.splice(at, 0, line)
    return start + ['*** Begin Patch', ...lines, '*** End Patch'].join(newline)
  })

describe.each(PATCH_TOOLS)('a patch of $agent by $rule.host', ({ rule }) => {
  it('is shown with every file that any reader would change, or is refused', async () => {
    let read = 0
    await fc.assert(
      fc.asyncProperty(awkwardPatch, async (text) => {
        const shown = await shownFiles(rule, text)
        if (shown === null) return
        read++
        for (const path of [...filesForCodex(text), ...filesForOthers(text)])
          expect(shown).toContain(isAbsolute(path) ? resolve(path) : resolve(CWD, path))
      }),
      { numRuns: 400 },
    )
    expect(read).toBeGreaterThan(20) // the property is not empty
  })

  it('is read in the form that models write', async () => {
    const patch = [
      '*** Begin Patch',
      '*** Add File: new.txt',
      '+one',
      '*** Update File: sub/../old.txt',
      '*** Move to: /elsewhere/moved.txt',
      '@@ function f() {',
      ' kept',
      '-x',
      '+y',
      '*** End of File',
      '*** Delete File: ../gone.txt',
      '*** End Patch',
    ]
    const files = ['new.txt', 'old.txt', '/elsewhere/moved.txt', 'old.txt', '../gone.txt'].map((file) =>
      resolve(CWD, file),
    )
    for (const newline of ['\n', '\r\n']) expect(await shownFiles(rule, patch.join(newline))).toEqual(files)
  })

  it.each([
    ['names a file twice', ['*** Add File: a', '+x', '*** Delete File: ./a']],
    [
      'moves a file onto another one of its own',
      ['*** Add File: b', '+x', '*** Update File: a', '*** Move to: b', ' x'],
    ],
    ['is for another environment', ['*** Environment ID: remote', '*** Add File: a', '+x']],
    ['has a blank before a path', ['*** Add File:  a', '+x']],
    ['hides a header behind a blank', ['*** Update File: a', '@@', ' x', ' *** Delete File: b']],
    ['changes nothing', []],
    ['hides a header behind a line break of others', ['*** Add File: a', '+x\r*** Add File: b\r+y']],
  ])('is refused when it %s', async (_, lines) => {
    expect(await shownFiles(rule, ['*** Begin Patch', ...lines, '*** End Patch'].join('\n'))).toBeNull()
  })
})

const PATCH = '*** Begin Patch\n*** Add File: key\n+x\n*** End Patch'
const heredoc = (delimiter: string): string => `<<'${delimiter}'\n${PATCH}\n${delimiter}`

/** What may stand before and behind a patch, with what a guard has to think of. */
const before = fc.constantFrom(
  ...Array<string>(6).fill(''),
  ...Array<string>(6).fill('cd secrets && '),
  'cd secrets && ',
  'cd "secrets" && ',
  "cd 'secrets' && ",
  'cd secrets; ',
  'cd secrets\n',
  'cd secrets || ',
  'cd secrets && cd .. && ',
  'cd $FOLDER && ',
  'cd sec* && ',
  'cd sec\\rets && ',
  'cd "sec"rets && ',
  'cd ~ && ',
  'cd -- secrets && ',
  'cd secrets /tmp && ',
  'pushd secrets && ',
  'X=1 ',
  'sudo ',
  'env -C secrets ',
  '( ',
  '{ cd secrets; ',
  'for f in a b; do ',
  '# a comment\n',
  'true && ',
  '! ',
  'exec ',
)
const program = fc.constantFrom(
  ...Array<string>(6).fill('apply_patch'),
  'applypatch',
  "'apply_patch'",
  'apply_"patch"',
  'apply_\\\npatch',
  './apply_patch',
)
const given = fc.constantFrom(
  ` ${heredoc('EOF')}`,
  heredoc('PATCH'),
  ` <<EOF\n${PATCH}\nEOF`,
  ` <<EOF\n${PATCH.replace('+x', '+$HOME')}\nEOF`,
  ` <<-'EOF'\n${PATCH}\nEOF`,
  ` <<-'EOF'\n\t${PATCH}\n\tEOF`,
  ` '${PATCH}'`,
  ` "${PATCH}"`,
  ` "$(cat p)"`,
  ' < p',
  ` <<< '${PATCH}'`,
  ` --root secrets ${heredoc('EOF')}`,
  ` ${heredoc('EOF')}\nEOF`,
  ` <<'EOF'\n${PATCH}\n EOF\nEOF`,
)
const behind = fc.constantFrom(
  ...Array<string>(9).fill(''),
  '\n',
  '  \n',
  ' && echo done',
  '; rm -rf x',
  '\necho done',
  ' | tee log',
  ' > out',
  ' &',
  ' )',
  '; done',
  '\n# end',
)

const asCommand = fc.oneof(
  fc.tuple(before, program, given, behind).map((parts) => parts.join('')),
  fc
    .tuple(before, given, behind)
    .map(([start, text, rest]) => `${start}bash -lc "apply_patch${text.replaceAll('"', '\\"')}"${rest}`),
  fc.tuple(before, behind).map(([start, rest]) => `${start}printf '%s' '${PATCH}' | apply_patch${rest}`),
)

describe.each(SHELL_TOOLS)('a patch in a command of $agent', ({ rule }) => {
  it('is shown where it is applied, or is refused, whatever stands around it', async () => {
    let read = 0
    await fc.assert(
      fc.asyncProperty(asCommand, async (command) => {
        const shown = await shownFiles(rule, command)
        if (shown === null) return
        read++
        const folder = /^\s*cd (['"]?)secrets\1 && apply_?patch\b/.test(command) ? 'secrets' : ''
        expect(command).toMatch(/^\s*(?:cd ['"]?secrets['"]? && )?apply_?patch\s*(?:<<-?\s*['"]?\w+|'|")/)
        expect(command).toMatch(/(?:EOF|PATCH|\*\*\* End Patch['"])\s*$/)
        expect(shown).toEqual([join(CWD, folder, 'key')])
      }),
      { numRuns: 2500 },
    )
    expect(read).toBeGreaterThan(5)
  })

  it.each([
    'rg -n apply_patch src | sort | head -5',
    'git log --grep "apply_patch" && git commit -m "Call (apply_patch) here; then go"',
    `cat > docs/patches.md <<'EOF'\nThe tool apply_patch takes:\n${PATCH}\nEOF`,
    'npm test',
  ])('is not seen in a command that applies none: %s', async (command) => {
    expect(await shownFiles(rule, command)).toEqual([])
  })

  it('cannot be told in a command that is a list of words', async () => {
    const words = ['bash', '-lc', `apply_patch ${heredoc('EOF')}`]
    const input = 'field' in rule && rule.field !== null ? { [rule.field]: words } : words
    expect(await chooseParts([rule], rule.host).split(input, { name: rule.host, cwd: CWD, base: CWD })).toBeNull()
  })
})

describe('a guard of a folder in codex', () => {
  const GUARD = {
    PreToolUse: [{ matcher: 'Write|Edit', ...commands('grep -q /secrets/ && { echo guarded >&2; exit 2; }; true') }],
  }
  const send = async (command: string): Promise<string> => {
    const world = await worldWith(GUARD)
    return (await ask(world, 'codex', 'PreToolUse', HOSTS.codex?.shell(command, { cwd: world.project }) ?? {})).stdout
  }

  it('sees a patch that is applied after cd', async () => {
    expect(await send(`cd secrets && apply_patch ${heredoc('EOF')}`)).toContain('guarded')
    expect(await send(`cd public && apply_patch ${heredoc('EOF')}`)).toBe('')
  })

  it('has a patch refused whose folder cannot be told, with what to do', async () => {
    expect(await send(`cd "$X" && apply_patch ${heredoc('EOF')}`)).toMatch(/whole command.*call apply_patch/)
  })
})

/** Ways to write the path of a file in a guarded folder. */
const GUARDED = ['secrets/key', './secrets/key', 'public/../secrets/key', 'secrets//key', 'secrets/./key'] as const

/** Ways to change a file by a patch. */
const CHANGES: readonly ((path: string) => readonly string[])[] = [
  (path) => [`*** Add File: ${path}`, '+x'],
  (path) => [`*** Delete File: ${path}`],
  (path) => [`*** Update File: ${path}`, '@@', '-y', '+z'],
  (path) => ['*** Update File: public/other', `*** Move to: ${path}`, '@@', '-y', '+z'],
]
const HARMLESS = ['*** Add File: public/harmless', '+x']

/** Patches that change a file in a guarded folder: alone, behind and before another change, with other line ends and blanks. */
const ATTACKS = GUARDED.flatMap((path) =>
  CHANGES.flatMap((change) => {
    const lines = change(path)
    const bodies = [lines, [...HARMLESS, ...lines], [...lines, ...HARMLESS]]
    return bodies.map((body, at) => ['*** Begin Patch', ...body, '*** End Patch'].join(at === 1 ? '\r\n' : '\n'))
  }),
)

/** Puts a value at a path of a payload. */
function putAt(payload: object, path: string, value: unknown): object {
  const [first = '', ...rest] = path.split('.')
  const inner = Object.entries(payload).find(([name]) => name === first)?.[1]
  return { ...payload, [first]: rest.length === 0 ? value : putAt(inner ?? {}, rest.join('.'), value) }
}

const OBSERVED = AGENTS.flatMap((agent) => {
  const bridge = findBridge(agent)
  return (bridge?.tools ?? []).flatMap((rule) =>
    bridge !== null && 'parts' in rule && /patch/i.test(rule.parts) ? [{ agent, rule, bridge }] : [],
  )
})

describe.each(OBSERVED)('a guard of a folder in $agent, by $rule.host', ({ agent, rule, bridge }) => {
  it(`has each of ${ATTACKS.length} patches refused that change a file there`, async () => {
    const world = await worldWith({
      PreToolUse: [{ matcher: 'Write|Edit', ...commands('grep -q /secrets/ && { echo guarded >&2; exit 2; }; true') }],
    })
    const host = HOSTS[agent]
    const event = host?.before ?? ''
    const row = bridge.events[event]
    const places = { ...bridge.call, ...(row === undefined || row.as === null ? {} : row.call) }
    const send = async (text: string): Promise<unknown> => {
      const isCommand = 'parts' in rule && rule.parts === 'shellPatch'
      const given = isCommand ? `apply_patch <<'EOF'\n${text}\nEOF` : text
      const input = 'field' in rule && rule.field !== null ? { [rule.field]: given } : given
      const payload = host?.shell('x', { cwd: world.project }) ?? {}
      const named = typeof places.tool === 'string' ? putAt(payload, places.tool, rule.host) : payload
      const whole = putAt(named, places.input, places.inputIsText ? JSON.stringify(input) : input)
      return FATES[agent]?.(await ask(world, agent, event, whole))
    }
    for (const text of ATTACKS) expect([text, await send(text)]).toEqual([text, 'refused'])
    expect(await send(['*** Begin Patch', ...HARMLESS, '*** End Patch'].join('\n'))).not.toBe('refused')
  })
})
