import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pageAsRun, pagePath } from '../../../hookline/test/support/page.ts'
import { makeWorld } from '../../../hookline/test/support/project.ts'
import { program } from '../support/command.ts'
import { realServer } from './support.ts'

describe('docs/mcp-and-skills.md', () => {
  it('shows what its commands print', { timeout: 120_000 }, async () => {
    const { root } = await makeWorld({
      'bin/hookline-agent': `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`,
      'bin/npx': `#!/bin/sh\nexec '${process.execPath}' '${realServer}'\n`, // the only thing the page asks of it
    })
    await expect(await pageAsRun('mcp-and-skills.md', { bin: join(root, 'bin') })).toMatchFileSnapshot(
      pagePath('mcp-and-skills.md'),
    )
  })
})
