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
    // It runs hooks of a project in folders that it trusts. --trust-folder holds for one session, and a resumed one takes no such flag.
    files: ({ project }) => ({ '.copilot/config.json': { trusted_folders: [project] } }),
    known: { ...copilot.known, 'failed command': 'lost', 'http hook': 'lost' },
  },
  { ...copilot, name: 'copilot-both', agent: 'copilot', isWrapped: true },
]
