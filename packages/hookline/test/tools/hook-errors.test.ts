import { expect, it, vi } from 'vitest'
import * as own from '../../src/index.ts'
import * as tools from '../../src/tools/index.ts'

const make = {
  HooklineError: ({ HooklineError }: typeof own) => new HooklineError('no'),
  RefusedByHook: ({ RefusedByHook }: typeof tools) => new RefusedByHook('no'),
  HaltedByHook: ({ HaltedByHook }: typeof tools) => new HaltedByHook('no', 'Enough'),
  DeferredByHook: ({ DeferredByHook }: typeof tools) => new DeferredByHook('no', 'Enough'),
  ClearanceError: ({ ClearanceError }: typeof tools) => new ClearanceError('no', 'used'),
  WaitingForUser: ({ WaitingForUser }: typeof tools) =>
    new WaitingForUser('no', {
      ended: 'waiting',
      question: { tool: 'light', input: {}, reason: null },
      halt: 'wait',
    } as tools.WaitingCall & { clearance: tools.Clearance }),
}

it('recognises the errors of another copy of the package, and tells them apart', async () => {
  vi.resetModules()
  const copy = { ...(await import('../../src/index.ts')), ...(await import('../../src/tools/index.ts')) }
  const here = { ...own, ...tools }
  expect(copy.HaltedByHook).not.toBe(here.HaltedByHook)
  const names = Object.keys(make) as (keyof typeof make)[]
  const seen = names.map((name) => [name, names.filter((other) => make[name](copy) instanceof here[other])])
  expect(Object.fromEntries(seen)).toEqual({
    HooklineError: ['HooklineError'],
    RefusedByHook: ['RefusedByHook'],
    HaltedByHook: ['HaltedByHook'],
    DeferredByHook: ['HaltedByHook', 'DeferredByHook'],
    ClearanceError: ['HooklineError', 'ClearanceError'],
    WaitingForUser: ['HaltedByHook', 'WaitingForUser'],
  })
  expect([null, undefined, 'no', {}, new Error('no')].some((value) => value instanceof here.HooklineError)).toBe(false)
})

it('takes an error that others derive from ours for theirs only when it is', () => {
  class Mine extends own.HooklineError {}
  expect(new Mine('no')).toBeInstanceOf(own.HooklineError)
  expect(new Mine('no')).toBeInstanceOf(Mine)
  expect(new own.HooklineError('no') instanceof Mine).toBe(false)
})
