import { describe, expect, it } from 'vitest'
import type { ModelAnswer, ModelRequest } from '../../src/testing/index.ts'
import { pageAsRun, pagePath } from '../support/page.ts'
import { serving } from './question.ts'

const no = (reason: string): ModelAnswer => ({ text: JSON.stringify({ ok: false, reason }) })
const says = ({ body }: ModelRequest, words: string): boolean => JSON.stringify(body).includes(words)

/** What the model of each page says. */
const SCRIPTS: Readonly<Record<string, (request: ModelRequest) => ModelAnswer>> = {
  'prompt-hooks.md': (request) =>
    says(request, 'git push') ? no('The command rewrites a branch of the remote.') : { text: '{"ok": true}' },
  'agent-hooks.md': (request) =>
    says(request, 'rm -rf ..')
      ? { tools: [{ name: 'Verdict', input: { ok: false, reason: 'package.json:1 removes the folder above.' } }] }
      : { tools: [{ name: 'Read', input: { path: 'package.json' } }] },
  'local-models.md': () => no('The prompt holds a password.'),
  'which-hook.md': (request) => {
    if (says(request, 'on: false'))
      return { tools: [{ name: 'Verdict', input: { ok: false, reason: 'README.md:1: src/lamp.js does not blink.' } }] }
    if (says(request, 'README.md'))
      return { tools: ['README.md', 'src/lamp.js'].map((path) => ({ name: 'Read', input: { path } })) }
    const isSentOn = /stop_hook_active\W+true/.test(JSON.stringify(request.body))
    return isSentOn ? { text: '{"ok": true}' } : no('Add the test of the switch.')
  },
}

/** After a change of what a command prints: `npx vitest run --project e2e models/pages -u`, and look at the difference. */
describe('a page about models, whose shell blocks are run with a scripted server', () => {
  it.each(Object.entries(SCRIPTS))('docs/%s prints what the page says', { timeout: 300_000 }, async (name, script) => {
    const server = await serving(script)
    await expect(await pageAsRun(name, { env: server.env })).toMatchFileSnapshot(pagePath(name))
  })
})
