import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageAsRun, pagePath } from '../../../hookline/test/support/page.ts'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { program } from '../support/command.ts'

describe('docs/subagents-and-teams.md', () => {
  it('shows what its commands print', { timeout: 120_000 }, async () => {
    const { root } = await makeWorld({
      'bin/hookline-agent': `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`,
    })
    await expect(await pageAsRun('subagents-and-teams.md', { bin: join(root, 'bin') })).toMatchFileSnapshot(
      pagePath('subagents-and-teams.md'),
    )
  })
})
