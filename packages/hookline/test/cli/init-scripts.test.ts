import { execFile } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { writeHookScript } from '../../src/cli/commands/init/hook-script.ts'
import { EFFECTS, listPossibleAnswers, type PossibleAnswer } from '../../src/cli/commands/init/possible-answers.ts'
import type { EventRow } from '../../src/protocol/event-row.ts'
import { loadProfile, PROFILE_NAMES, type ProfileName } from '../../src/protocol/profiles.ts'
import type { DispatchRecord } from '../../src/protocol/record/record.ts'
import { engineWith, makeWorld } from '../support/project.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))

/** What an event comes to with a hook that answers so. */
async function answered(profile: ProfileName, row: EventRow, { how }: PossibleAnswer): Promise<DispatchRecord> {
  const engine = await engineWith({}, { profile })
  const answer = 'json' in how ? how.json : null
  await engine.on(row.name as string, () => answer)
  return engine.dispatch({ hook_event_name: row.name, ...row.example })
}

describe.each(PROFILE_NAMES)('a new hook under %s', (profile) => {
  it('shows everything that can be asked of the host, each in a way that works', async () => {
    const { events } = await loadProfile(profile)
    for (const row of events.values()) {
      for (const [name, { from, fields, stdout }] of Object.entries(row.effects)) {
        if (from !== 'specific' || fields.length === 0) continue
        const answers = EFFECTS[name]?.(row) ?? []
        expect([row.name, name, answers.length > 0 || stdout !== undefined]).toEqual([row.name, name, true])
        for (const answer of answers) {
          expect(listPossibleAnswers(row)).toContainEqual(answer)
          const { decision, hooks } = await answered(profile, row, answer)
          expect([answer.does, hooks[0]?.warnings, hooks[0]?.outcome]).not.toContain('non_blocking_error')
          expect([row.name, answer.does, hooks[0]?.warnings]).toEqual([row.name, answer.does, []])
          expect({ [name]: decision[name as keyof typeof decision] }).not.toEqual({ [name]: row.noEffects[name] })
        }
      }
    }
  })

  it('compiles in TypeScript, with each of its answers', async () => {
    const { events } = await loadProfile(profile)
    const scripts = [...events.values()].flatMap((row) => {
      const script = writeHookScript('ts', 'guard', { row, profile })
      const others = script.matchAll(/^ {4}\/\/ {3}(return .*)$/gm)
      const variants = [...others].map(([, line = '']) =>
        script.replace(/^ {4}(return|console).*$/m, () => `    ${line}`),
      )
      return [script, ...variants].map((text, at) => [`project/${row.name}-${at}.ts`, text] as const)
    })
    const world = await makeWorld({
      ...Object.fromEntries(scripts),
      'project/package.json': { type: 'module' },
      'project/tsconfig.json': {
        compilerOptions: {
          ...{ strict: true, noEmit: true, module: 'nodenext', target: 'es2023', types: ['node'], skipLibCheck: true },
          allowImportingTsExtensions: true,
          paths: { 'hookline/hook': [join(ROOT, 'packages/hookline/src/hook/index.ts')] },
        },
      },
    })
    await symlink(join(ROOT, 'node_modules'), join(world.project, 'node_modules'))
    const compiled = await promisify(execFile)(join(ROOT, 'node_modules/.bin/tsc'), ['-p', world.project]).catch(
      ({ stdout }: { stdout: string }) => ({ stdout }),
    )
    expect(compiled.stdout).toBe('')
  })
})
