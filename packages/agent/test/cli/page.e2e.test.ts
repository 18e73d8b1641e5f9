import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { pageAsRun, pagePath } from '../../../hookline/test/support/page.ts'
import { program } from '../support/command.ts'

it('docs/agent.md prints what the page says, run from top to bottom in an empty project', async () => {
  const bin = await mkdtemp(join(tmpdir(), 'hookline-agent-bin-'))
  onTestFinished(() => rm(bin, { recursive: true }))
  const command = join(bin, 'hookline-agent')
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`)
  await chmod(command, 0o755)
  await expect(await pageAsRun('agent.md', { bin })).toMatchFileSnapshot(pagePath('agent.md'))
})
