import { describe, expect, it } from 'vitest'
import { findingsIn } from '../support/validate.ts'

const good = { type: 'command', command: 'true' }
const guard = (hook: object, event = 'PreToolUse') => ({ hooks: { [event]: [{ hooks: [hook, good] }] } })

/** Settings by what Claude Code drops because of them: all of the file, one entry, or nothing. */
const SETTINGS: Readonly<Record<'file' | 'entry' | 'nothing', Readonly<Record<string, unknown>>>> = {
  file: {
    'a timeout of 0 on a guard': guard({ ...good, timeout: 0 }),
    'a word for a switch on a guard': guard({ ...good, once: 'yes' }),
    'a guard of a made-up type': guard({ type: 'script', command: 'true' }),
    'a guard without a command': guard({ type: 'command' }),
    'a guard with a null condition': guard({ ...good, if: null }),
    'an address without a host': guard({ type: 'http', url: 'hooks/guard' }),
    'a wrong header': guard({ type: 'http', url: 'http://127.0.0.1:1/', headers: { a: 1 } }, 'PermissionRequest'),
    'a hook that is a string': { hooks: { PreToolUse: [{ hooks: ['true'] }] } },
    'a hook without a group': { hooks: { PreToolUse: [good] } },
    'a matcher that is a number': { hooks: { PreToolUse: [{ matcher: 5, hooks: [good] }] } },
    'an event that is an object': { hooks: { PermissionRequest: { hooks: [good] } } },
    'hooks that are a list': { hooks: [good] },
    'guards at the root': { PreToolUse: [{ hooks: [good] }] },
    'a model that is a number': { model: 3, ...guard(good) },
    'rules that are a string': { permissions: { deny: 'Bash' }, ...guard(good) },
    'a status line that is a string': { statusLine: 'date', ...guard(good) },
    'a file that is a list': [guard(good)],
  },
  entry: {
    'a timeout of 0 elsewhere': guard({ ...good, timeout: 0 }, 'PostToolUse'),
    'a made-up type elsewhere': guard({ type: 'script' }, 'Stop'),
    'a group without hooks elsewhere': { hooks: { Stop: [{ matcher: 'x' }, { hooks: [good] }] } },
    'a made-up event': { hooks: { BeforeTool: [{ hooks: [good] }], Stop: [{ hooks: [good] }] } },
  },
  nothing: {
    'an event that is null': { hooks: { PreToolUse: null, Stop: [{ hooks: [good] }] } },
    'hooks that are null': { hooks: null },
    'a field of another type of hook': guard({ ...good, url: 'http://127.0.0.1:1/' }),
    'a made-up field': guard({ ...good, colour: 'red' }),
    'a made-up setting': { madeUp: [1], ...guard(good) },
    'a rule that does not parse': { permissions: { allow: ['Bash('] }, ...guard(good) },
    'a variable that is a number': { env: { A: 1 }, ...guard(good) },
    'a comment among the events': { hooks: { _note: 'x', Stop: [{ hooks: [good] }] } },
  },
}

describe('what a misfit costs in Claude Code', () => {
  const cases = Object.entries(SETTINGS).flatMap(([loss, all]) =>
    Object.entries(all).map(([name, settings]) => ({ loss, name, settings })),
  )
  it.each(cases)('$name costs $loss', async ({ loss, settings }) => {
    const findings = await findingsIn({ '.claude/settings.json': JSON.stringify(settings) }, 'current')
    const errors = findings.filter(({ severity }) => severity === 'error')
    const losses = errors.flatMap((finding) => finding.loss ?? [])
    if (loss === 'nothing') expect(errors).toEqual([])
    else expect([...new Set(losses)]).toEqual([loss])
  })

  it('names the hooks and deny rules that go with the file', async () => {
    const settings = { permissions: { deny: ['Bash(rm:*)', 'Read(.env)'] }, ...guard({ ...good, timeout: 0 }) }
    const findings = await findingsIn({ '.claude/settings.json': JSON.stringify(settings) }, 'current')
    const told = findings.find(({ loss }) => loss === 'file')?.message
    expect(told).toContain('Claude Code applies nothing of this file, its 2 hooks and 2 deny rules neither')
  })

  it('says that an earlier copy of an event is not seen', async () => {
    const copy = '"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]'
    const findings = await findingsIn({ '.claude/settings.json': `{"hooks": {${copy}, ${copy}}}` }, 'current')
    expect(findings).toContainEqual(expect.objectContaining({ rule: 'V-HK-27', severity: 'error', loss: 'entry' }))
  })
})
