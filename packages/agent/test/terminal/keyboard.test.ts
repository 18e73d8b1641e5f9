import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { subscribeToKeys } from '../../src/terminal/views/use-keyboard.ts'

it('hears keys through the emitter of ink, and no longer than asked', () => {
  const emitter = new EventEmitter()
  const stdin = new PassThrough()
  const heard: string[] = []
  const stop = subscribeToKeys({ internal_eventEmitter: emitter, stdin }, (sequence) => heard.push(sequence))
  emitter.emit('input', '\u001b[A')
  stop()
  emitter.emit('input', 'late')
  expect(heard).toEqual(['\u001b[A'])
  expect(stdin.listenerCount('data')).toBe(0)
})

it.each([
  ['is gone', {}],
  ['is something else', { internal_eventEmitter: { subscribe: () => {} } }],
])('hears the keyboard itself when the emitter of ink %s', async (_what, ink) => {
  const stdin = new PassThrough()
  stdin.setEncoding('utf8')
  stdin.on('readable', () => {
    while (stdin.read() !== null); // as ink reads it
  })
  const heard: string[] = []
  const stop = subscribeToKeys({ ...ink, stdin }, (sequence) => heard.push(sequence))
  stdin.write('é\r')
  await new Promise(setImmediate)
  stop()
  stdin.write('late')
  await new Promise(setImmediate)
  expect(heard).toEqual(['é\r'])
})
