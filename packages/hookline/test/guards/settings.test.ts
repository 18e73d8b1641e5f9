import { describe, expect, it } from 'vitest'
import { judge } from '../../src/guards/judge.ts'
import { mergeGuardSettings, parseGuardSettings } from '../../src/guards/settings.ts'
import { smallWorld } from '../support/small-world.ts'

const world = smallWorld()
const now = Date.parse('2026-11-18T00:00:00Z')
const none = parseGuardSettings(null, 'none')

function merge(own: object, project: object = {}) {
  return mergeGuardSettings(
    parseGuardSettings(JSON.stringify(own), 'own'),
    parseGuardSettings(JSON.stringify(project), 'project'),
    { now, home: world.home },
  )
}

function answer(command: string, rules: ReturnType<typeof merge>): string {
  return judge({ tool: 'Bash', input: { command } }, world, rules).answer
}

describe('the settings of guards', () => {
  it('switch a guard off for the user who wrote them', () => {
    expect(answer('npm publish', merge({ guards: { publish: 'off' } }))).toBe('pass')
    expect(answer('npm publish', merge({ guards: { publish: 'deny' } }))).toBe('deny')
  })

  it('of a project only make guards stricter', () => {
    const loose = merge(
      {},
      {
        level: 'calm',
        guards: { delete: 'off' },
        allow: [{ guard: 'delete', path: '**', reason: 'x' }],
        places: { temp: ['~/Documents'] },
        programs: { rm: {} },
      },
    )
    expect(answer('rm -rf ~/Documents', loose)).toBe('deny')
    expect(loose.problems.join()).toContain('stricter')
    expect(answer('npm publish', merge({}, { guards: { publish: 'deny' } }))).toBe('deny')
    expect(answer('cat config/a.txt', merge({}, { places: { secret: ['config/**'] } }))).toBe('deny')
  })

  it('let pass what an exception names, until its day', () => {
    const exception = { guard: 'delete', path: '~/Documents/**', reason: 'experiments', until: '2026-12-01' }
    expect(answer('rm -rf ~/Documents/old', merge({ allow: [exception] }))).toBe('pass')
    expect(answer('rm -rf ~/Pictures', merge({ allow: [exception] }))).toBe('deny')
    expect(answer('rm -rf ~/Documents/old', merge({ allow: [{ ...exception, until: '2026-01-01' }] }))).toBe('deny')
    expect(answer('rm -rf ~', merge({ allow: [{ ...exception, path: '**' }] }))).toBe('deny')
  })

  it('know the programs of a team', () => {
    const rules = merge({ programs: { 'deploy-tool': { change: { system: 'cloud', operation: 'delete' } } } })
    expect(answer('deploy-tool prod', rules)).toBe('deny')
  })

  it('that are not JSON change nothing, and are told', () => {
    const broken = parseGuardSettings('{"guards": ', 'guards.json')
    const rules = mergeGuardSettings(broken, none, { now, home: world.home })
    expect(rules.problems.join()).toContain('guards.json')
    expect(answer('rm -rf ~/Documents', rules)).toBe('deny')
  })
})
