import { claude } from './claude.js'
import { copilot } from './copilot.js'

/**
 * Clients that load `.claude/settings.json` by themselves, with the hooks in it wrapped: without a bridge, and beside one.
 * @type {import('../client.js').Client[]}
 */
export const wrapped = [
  { ...claude, name: 'claude-wrapped', isWrapped: true },
  {
    ...copilot,
    name: 'copilot-wrapped',
    isBridged: false,
    isWrapped: true,
    known: { ...copilot.known, 'failed command': 'lost' },
  },
  { ...copilot, name: 'copilot-both', agent: 'copilot', isWrapped: true },
]
