import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { engineWith } from '../support/project.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const ONE_MEBIBYTE = 1024 * 1024

it('keeps nothing of hooks that were registered and taken away again', async () => {
  const engine = await engineWith({})
  const hooks = Array.from({ length: 1000 }, (_, number) => ({ type: 'prompt' as const, prompt: `Is it ${number}?` }))
  const comeAndGo = async (times: number): Promise<void> => {
    for (let left = times; left > 0; left--) {
      const { remove } = await engine.register({ Stop: [{ hooks }] })
      await engine.dispatch({ hook_event_name: 'Stop', stop_hook_active: false })
      remove()
    }
  }
  await comeAndGo(5)
  const before = heapBytes()
  await comeAndGo(50) // their ids alone would take four mebibytes
  expect(heapBytes() - before).toBeLessThan(ONE_MEBIBYTE)
})

function heapBytes(): number {
  collectGarbage()
  collectGarbage()
  return process.memoryUsage().heapUsed
}
