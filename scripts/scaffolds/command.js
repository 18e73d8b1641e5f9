/** A command: its file, its row, its calls in the tests of all commands, and a test of its own. */
const CLI = 'packages/hookline/src/cli'
const TESTS = 'packages/hookline/test/cli'

/** @type {import('./edit.js').ScaffoldKind} */
export const command = {
  says: 'a command of hookline: its file, its row, its calls in the tests of all commands, and a test',
  name: /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
  names: 'a command is called like list or check-races',
  make(name, tree) {
    const key = name.includes('-') ? `'${name}'` : name
    tree.refuse(`${CLI}/commands.ts`, new RegExp(`^  ${key}: \\{`, 'm'), `The command ${name} exists already.`)
    tree.add(
      `${CLI}/commands/${name}/${name}.ts`,
      `import { ENGINE_FLAGS, ENGINE_USAGE, readArguments, refusePositionals } from '../../start/flags.ts'
import { tellProblems, withEngine } from '../../start/opening.ts'
import { printJson, printLines } from '../../start/print.ts'

export const usage = \`hookline ${name} [flags]

Counts the configured hooks of each event.

  hookline ${name}
  hookline ${name} --json

\${ENGINE_USAGE}
Exit codes: 0; 1 a mistake in the call.
\`

/** Runs \`hookline ${name}\`. */
export function run(args: string[]): Promise<number> {
  const { values, positionals } = readArguments(args, ENGINE_FLAGS)
  refusePositionals(positionals)
  return withEngine(values, async (engine) => {
    tellProblems(engine)
    const counts: Record<string, number> = {}
    for (const { hook } of engine.list()) counts[hook.event] = (counts[hook.event] ?? 0) + 1
    if (values.json) printJson(counts)
    else printLines(Object.entries(counts).map(([event, count]) => \`\${event}  \${count}\`))
    return 0
  })
}
`,
    )
    tree.insert(
      `${CLI}/commands.ts`,
      '\n  completion: {',
      `
  ${key}: {
    summary: 'how many hooks each event has',
    when: 'When you want to know which events your hooks are for.',
    load: () => import('./commands/${name}/${name}.ts'),
  },`,
    )
    tree.insert(`${TESTS}/screen.e2e.test.ts`, '\n  completion: [', `\n  ${key}: [[], ['--json'], [HOSTILE_LINE]],`)
    tree.insert(`${TESTS}/looking.test.ts`, '\n  completion: [', `\n  ${key}: [[], ['--json']],`)
    tree.add(
      `${TESTS}/${name}.test.ts`,
      `import { describe, expect, it } from 'vitest'
import { hooklineInProcess } from '../support/in-process.ts'
import { commands, makeWorld } from '../support/project.ts'

const settings = { hooks: { Stop: [commands('true'), commands('false')] } }

describe('hookline ${name}', () => {
  it('counts the hooks of each event', async () => {
    const world = await makeWorld({ 'project/.claude/settings.json': settings })
    expect(await hooklineInProcess(world, ['${name}'])).toMatchObject({ code: 0, stdout: 'Stop  2\\n' })
    const { stdout } = await hooklineInProcess(world, ['${name}', '--json'])
    expect(JSON.parse(stdout)).toEqual({ Stop: 2 })
  })

  it('says how it is called to those who call it otherwise', async () => {
    const ended = await hooklineInProcess(await makeWorld({}), ['${name}', 'surplus'])
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('surplus') })
  })
})
`,
    )
    return {
      files: tree.files,
      next: [
        `Write what it does, in ${CLI}/commands/${name}/${name}.ts, and its row in ${CLI}/commands.ts.`,
        'npm run generate',
        `npm run build && npx vitest run test/cli/${name} test/cli/screen test/cli/looking`,
      ],
    }
  },
}
