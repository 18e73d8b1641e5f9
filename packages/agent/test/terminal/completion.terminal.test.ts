import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { until } from '../../../hookline/test/support/processes.ts'
import { put } from '../../../hookline/test/support/project.ts'
import { group, openSession, recording, seen } from './support/session.ts'

const files = {
  'project/src/lighthouse.ts': '',
  'project/src/lamp.ts': '',
  'project/build/lamp.js': '',
  'project/.gitignore': 'build\n',
}

it('completes files of the project that git does not ignore', async () => {
  const hooks = { UserPromptSubmit: [group(recording)] }
  const { terminal, world } = await openSession({ turns: [{ text: 'Read.' }], files, hooks })
  await terminal.see('Ask something')

  await terminal.type('Look at @la')
  const listed = await terminal.see('@src/lamp.ts')
  await terminal.press('Tab')
  await terminal.see('Look at @src/lamp.ts ')
  await terminal.press('Enter')
  await terminal.see('Read.')

  expect(listed).not.toContain('build/lamp.js')
  expect(seen(world)).toMatchObject([{ prompt: 'Look at @src/lamp.ts ' }])
})

it('asks the configured command for files, with what was typed', async () => {
  const command = `grep -o '"query":"[^"]*"' > query; printf 'from/command.ts\\nfrom/other.ts\\n'`
  const settings = { fileSuggestion: { type: 'command', command } }
  const { terminal, world } = await openSession({ turns: [], files, settings })
  await terminal.see('Ask something')

  await terminal.type('@lam')
  await terminal.see('@from/command.ts')
  await terminal.press('Down', 'Enter')

  await terminal.see('❯ @from/other.ts ')
  expect(readFileSync(join(world.project, 'query'), 'utf8')).toBe('"query":"lam"\n')
})

it('closes the suggestions with Esc', async () => {
  const { terminal } = await openSession({ turns: [], files })
  await terminal.see('Ask something')
  await terminal.type('@light')
  await terminal.see('@src/lighthouse.ts')

  await terminal.press('Escape')

  await terminal.seeGone('@src/lighthouse.ts')
})

it('runs the status line with the documented facts', async () => {
  const command = 'cat > status.json; printf "\\033[32mall is well\\033[0m\\n"'
  const settings = { statusLine: { type: 'command', command, padding: 2 } }
  const { terminal, world } = await openSession({ turns: [{ text: 'Hello.' }], settings })
  await terminal.see('Ask something')

  await terminal.see('  all is well')
  const status = JSON.parse(readFileSync(join(world.project, 'status.json'), 'utf8'))

  expect(status).toMatchObject({
    cwd: world.project,
    model: { id: 'script:turns.json', display_name: 'script:turns.json' },
    workspace: { current_dir: world.project, project_dir: world.project },
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    cost: { total_cost_usd: 0 },
  })
  expect(existsSync(status.transcript_path)).toBe(true)
  expect(status.session_id).toMatch(/^[\w-]{36}$/)
  expect(await terminal.screen({ styled: true })).toContain('\u001b[32mall is well')
})

it('runs one status line at a time, and a newer one ends it', async () => {
  const command = 'echo $$ >> starts; if [ -e slow ]; then exec sleep 60; fi; echo "run $(wc -l < starts)"'
  const settings = { statusLine: { type: 'command', command } }
  const { terminal, world } = await openSession({ turns: [{ text: 'One.' }, { text: 'Two.' }], settings })
  const started = (): number[] => readFileSync(join(world.project, 'starts'), 'utf8').trim().split('\n').map(Number)
  await terminal.see('run 1')

  await put(world, 'project/slow', '')
  await terminal.enter('First')
  await until('a slow one runs', () => started().length === 2)
  await rm(join(world.project, 'slow'))
  await terminal.enter('Second')

  await terminal.see(/run [3-9]/)
  expect(existsSync(`/proc/${started()[1]}`)).toBe(false)
})

it('shows ccstatusline unchanged', async () => {
  const program = fileURLToPath(new URL('../../../../node_modules/ccstatusline/dist/ccstatusline.js', import.meta.url))
  const settings = { statusLine: { type: 'command', command: `${process.execPath} ${program}` } }
  const { terminal } = await openSession({ turns: [], settings })
  await terminal.see('Ask something')

  await terminal.see(/Model:\sscript:turns\.json/)
})
