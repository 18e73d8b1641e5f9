import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const script = fileURLToPath(new URL('../../../../scripts/resident-soak.js', import.meta.url))

it('lets nothing through, runs no guard twice and leaves nothing behind, killed and stopped among calls', () => {
  const words = [script, '--calls', '60', '--harms', '6']
  const { status, stdout } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 280_000 })
  expect(stdout).toContain(
    ' 0 open\n0 guards ran twice, 0 refused calls did not run theirs\nleft: 0 processes, 0 pipes, 0 files\n',
  )
  expect(status).toBe(0)
}, 300_000)
