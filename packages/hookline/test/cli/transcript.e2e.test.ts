import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hookline } from '../support/command.ts'
import { commands, makeWorld } from '../support/project.ts'

/** Says where the transcript is when it is a regular file that can be read, and otherwise nothing. */
const look =
  'node -e \'const fs=require("fs"); const {transcript_path: path}=JSON.parse(fs.readFileSync(0,"utf8")); if (fs.statSync(path).isFile()) console.error("found", path, fs.readFileSync(path,"utf8").length)\'; exit 2'

describe('the transcript that a command names to hooks', () => {
  it.each([
    ['fire', ['fire', 'Stop', '--trust', '--json'], ''],
    ['session', ['session', '--trust'], '{"hook_event_name":"Stop","stop_hook_active":false}\n'],
  ])('is there while it runs, and gone afterwards: %s', async (_name, args, input) => {
    const world = await makeWorld({ 'project/.claude/settings.json': { hooks: { Stop: [commands(look)] } } })
    const { stdout } = await hookline(world, args, { input })
    const [, path = ''] = /found (\/\S+\.jsonl) 0/.exec(JSON.parse(stdout.split('\n')[0] ?? '').decision.reason) ?? []
    expect(path).not.toBe('')
    expect(existsSync(path)).toBe(false)
  })
})
