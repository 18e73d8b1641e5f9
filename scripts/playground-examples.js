/** Examples of the playground's menu: those of the rules' pages, as the docs show them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './tools.js'

const EVENT = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push --force' } }

/** Every settings file that a page of the docs shows whole, with the page's title. */
export function listPlaygroundExamples() {
  const folder = join(ROOT, 'docs')
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((page) => page.endsWith('.md'))
    .sort()
  return pages.flatMap((page) => {
    const text = existsSync(join(folder, page)) ? readFileSync(join(folder, page), 'utf8') : ''
    const title = /^# (.+)$/m.exec(text)?.[1] ?? page
    const blocks = [...text.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
    const settings = blocks.filter((block) => isSettings(block))
    return settings.map((block, nth) => ({
      title: settings.length === 1 ? title : `${title} (${nth + 1})`,
      settings: block,
      event: JSON.stringify(EVENT, null, 2),
    }))
  })
}

/** @param {string} block */
function isSettings(block) {
  try {
    const value = JSON.parse(block)
    return typeof value === 'object' && value !== null && typeof value.hooks === 'object' && !Array.isArray(value.hooks)
  } catch {
    return false // a part of a file
  }
}
