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
    expect(answer('deploy-tool shop', rules)).toBe('ask')
  })

  it('that are not JSON make every guard deny, and are told', () => {
    for (const text of ['{"guards": ', '[]', '"strict"', '']) {
      const broken = parseGuardSettings(text, 'guards.json')
      const rules = mergeGuardSettings(broken, none, { now, home: world.home })
      expect(rules.problems.join()).toContain('guards.json')
      expect(answer('rm -rf ~/Documents', rules)).toBe('deny')
      expect(answer('npm publish', rules)).toBe('deny')
      expect(answer('some-program --of-ours', rules)).toBe('ask')
      expect(answer('npm test', rules)).toBe('pass')
    }
  })

  // Each of these is one slip away from settings that were stricter than the usual ones.
  it.each([
    [{ level: 'strct' }, 'some-program', 'ask'],
    [{ guards: { publish: 'denny' } }, 'npm publish', 'deny'],
    [{ guards: { pubish: 'deny' } }, 'some-program', 'ask'],
    [{ guards: ['publish'] }, 'some-program', 'ask'],
    [{ places: { secrets: ['config/**'] } }, 'some-program', 'ask'],
    [{ places: { secret: 'config/**' } }, 'some-program', 'ask'],
    [{ programs: { ours: { change: { system: 'clouds', operation: 'delete' } } } }, 'some-program', 'ask'],
    [{ programs: { ours: { options: 'x' } } }, 'some-program', 'ask'],
  ])('with a slip in %j are never looser than what was meant', (own, command, meant) => {
    const rules = merge(own)
    expect(answer(command, rules)).toBe(meant)
    expect(rules.problems.join(' ')).toContain('strict')
    expect(answer(command, merge({}, own))).toBe(meant)
  })

  it('of a project count as a whole once they are trusted', () => {
    const written = { guards: { publish: 'off' }, allow: [{ guard: 'delete', path: '~/Documents', reason: 'x' }] }
    const project = parseGuardSettings(JSON.stringify(written), 'project')
    const trusted = mergeGuardSettings(none, project, { now, home: world.home, isTrusted: true })
    expect(answer('npm publish', trusted)).toBe('pass')
    expect(answer('rm -rf ~/Documents', trusted)).toBe('pass')
    expect(trusted.problems).toEqual([])
    const own = parseGuardSettings(JSON.stringify({ guards: { publish: 'deny' } }), 'own')
    expect(answer('npm publish', mergeGuardSettings(own, project, { now, home: world.home, isTrusted: true }))).toBe(
      'deny',
    )
  })

  it('of the organisation are never loosened by others', () => {
    const managed = parseGuardSettings(JSON.stringify({ level: 'strict', guards: { publish: 'deny', git: 'on' } }), 'm')
    const own = parseGuardSettings(
      JSON.stringify({ level: 'calm', guards: { publish: 'off', git: 'off', cloud: 'off' } }),
      'o',
    )
    const rules = mergeGuardSettings(own, own, { now, home: world.home, isTrusted: true, managed })
    expect(rules.level).toBe('strict')
    expect(answer('npm publish', rules)).toBe('deny')
    expect(answer('git push --force origin main', rules)).toBe('deny')
    expect(answer('terraform destroy', rules)).toBe('pass')
  })

  it('of the user may be calmer than usual', () => {
    expect(merge({ level: 'calm' }).level).toBe('calm')
    expect(merge({ level: 'calm' }, { level: 'strict' }).level).toBe('strict')
  })
})

describe('the packs', () => {
  it.each([
    ['database', 'dropdb shop', 'dropdb shop_production'],
    ['cloud', 'terraform destroy -auto-approve', 'terraform destroy -auto-approve -var-file=prod.tfvars'],
    ['cloud', 'kubectl delete ns shop', 'kubectl --context prod delete ns shop'],
  ])('of %s ask, and refuse where production is named', (_, usual, production) => {
    expect(answer(usual, merge({}))).toBe('ask')
    expect(answer(production, merge({}))).toBe('deny')
  })
})
