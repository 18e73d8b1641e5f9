import { claude } from './claude.js'
import { copilot } from './copilot.js'

/** Capabilities in which it shows that Copilot runs each hook a second time, as it is. */
const TWICE = [
  ...['failing hook', 'each hook once', 'inputs of hooks', 'hook with args', 'one prompt (calls)', 'one prompt (stop)'],
  ...['one prompt (subagent)', 'one Stop (subagent)'],
]

/**
 * Clients that load `.claude/settings.json` by themselves, otherwise than advised: Claude Code with the hooks wrapped for others,
 * and Copilot with the bridge or the wrapper alone.
 * @type {import('../client.js').Client[]}
 */
export const wrapped = [
  { ...claude, name: 'claude-wrapped', isWrapped: true },
  {
    ...copilot,
    name: 'copilot-wrapped',
    census: undefined,
    agent: 'copilot',
    isBridged: false,
    readsPlugins: false,
    // It runs hooks of a project in folders that it trusts. --trust-folder holds for one session, and a resumed one takes no such flag.
    files: ({ project }) => ({ '.copilot/config.json': { trusted_folders: [project] } }),
    known: {
      ...copilot.known,
      'failed command': 'lost',
      'http hook': 'lost',
      // It calls such hooks for no tool of an MCP server, which wrap install, report and status say.
      'MCP guard by name': 'told',
      'MCP guard by pattern': 'told',
    },
    // The hook runs by itself then, and of one that exits 2 by itself Copilot shows no reason.
    knownCold: { 'Node is missing': 'unexplained' },
  },
  {
    ...copilot,
    name: 'copilot-bridge',
    census: undefined,
    agent: 'copilot',
    isWrapped: false,
    known: { ...copilot.known, ...Object.fromEntries(TWICE.map((capability) => [capability, 'told'])) },
    warned: {
      capabilities: TWICE,
      says: /each runs twice(?:, one with "args" runs without them,)? and one that fails refuses the call/,
    },
  },
]
