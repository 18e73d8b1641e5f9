import { expect, it } from 'vitest'
import { guardCall } from '../../src/tools/index.ts'
import { commands, engineWith } from '../support/project.ts'
import { context, pre } from './asked.ts'

const hall = { name: 'light', input: { room: 'hall' }, id: 'toolu_1' }

it('gives what the tool gave, and what hooks say beside it', async () => {
  const engine = await engineWith({ PostToolUse: [commands('echo moths >&2; exit 2')] })
  await engine.on('PreToolUse', () => context('PreToolUse', 'It is night.'))
  expect(await guardCall(engine, { ...hall, run: () => 'on' })).toEqual({
    ended: 'ran',
    output: 'on',
    texts: [
      '<system-reminder>\nPreToolUse:light hook additional context: It is night.\n</system-reminder>',
      '<system-reminder>\nPostToolUse:light hook blocking error: [echo moths >&2; exit 2]: moths\n</system-reminder>',
    ],
    halt: null,
  })
})

it('runs the tool with the input that hooks leave', async () => {
  const engine = await engineWith({})
  await engine.on('PreToolUse', () => pre({ updatedInput: { room: 'cellar' } }))
  expect(await guardCall(engine, { ...hall, run: (input) => input })).toMatchObject({ output: { room: 'cellar' } })
  const check = () => ({ fault: 'there is no cellar' })
  expect(await guardCall(engine, { ...hall, check, run: (input) => input })).toMatchObject({
    ended: 'refused',
    reason: 'A hook rewrote the input, and light cannot be called so: there is no cellar',
  })
})

it('does not run what hooks refuse', async () => {
  const engine = await engineWith({ PreToolUse: [commands('echo too bright >&2; exit 2')] })
  const run = () => expect.fail('it ran')
  expect(await guardCall(engine, { ...hall, run })).toEqual({
    ended: 'refused',
    reason: 'PreToolUse:light hook error: [echo too bright >&2; exit 2]: too bright',
    texts: [],
    halt: null,
  })
})

it('takes what a tool throws for a failure', async () => {
  const engine = await engineWith({})
  const seen: unknown[] = []
  await engine.on('PostToolUseFailure', ({ error }) => void seen.push(error))
  const error = new Error('no lamp')
  const run = () => Promise.reject(error)
  expect(await guardCall(engine, { ...hall, run })).toEqual({ ended: 'failed', error, texts: [], halt: null })
  expect(seen).toEqual(['no lamp'])
})

it.each(['PreToolUse', 'PostToolUse'])('says that a hook of %s ended the turn', async (event) => {
  const engine = await engineWith({})
  await engine.on(event, () => ({ continue: false, stopReason: 'Enough' }))
  expect(await guardCall(engine, { ...hall, run: () => 'on' })).toMatchObject({
    ended: event === 'PreToolUse' ? 'refused' : 'ran',
    halt: 'Enough',
  })
})

it('ends the turn when a hook of the dialog interrupts', async () => {
  const engine = await engineWith({})
  await engine.on('PreToolUse', () => pre({ permissionDecision: 'ask' }))
  const decision = { behavior: 'deny', message: 'Stop that', interrupt: true }
  await engine.on('PermissionRequest', () => ({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } }))
  const onAsk = () => expect.fail('the person was asked')
  expect(await guardCall(engine, { ...hall, run: () => 'on' }, { onAsk })).toMatchObject({
    ended: 'refused',
    reason: 'PermissionRequest:light hook error: Stop that',
    halt: 'Stop that',
  })
})

it('rejects when it is aborted before the tool runs', async () => {
  const run = () => expect.fail('it ran')
  const signal = AbortSignal.abort(new Error('left'))
  await expect(guardCall(await engineWith({}), { ...hall, signal, run })).rejects.toThrow('left')
})
