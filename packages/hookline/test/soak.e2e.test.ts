import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const soak = fileURLToPath(new URL('../../../bench/soak.js', import.meta.url))

it.skipIf(process.platform !== 'linux')(
  'leaves a host as it was after some seconds of everything at once',
  async () => {
    const { failure, said } = await new Promise<{ failure: Error | null; said: string }>((resolve) => {
      execFile(process.execPath, [soak, '--seconds', '6'], { timeout: 50_000 }, (error, stdout, stderr) => {
        resolve({ failure: error, said: stdout + stderr })
      })
    })
    expect(failure, said).toBeNull()
  },
)
