import { serverArgs } from '../client.js'
import { followRecipe } from '../recipe.js'
import { opencode } from './opencode.js'

/**
 * A descendant of opencode, with its tools and plugins.
 * @type {import('../client.js').Client}
 */
export const kilo = {
  ...opencode,
  ...followRecipe('kilo'),
  npm: '@kilocode/cli-linux-x64',
  program: '@kilocode/cli-linux-x64/bin/kilo',
  known: { ...opencode.known },
  resume: (prompt) => ['run', '--auto', '--continue', prompt],
  monitor: (command) => ({
    name: 'background_process',
    input: { action: 'start', command, description: 'as scripted' },
  }),
  mcp: {
    files: (place) => ({
      '.config/kilo/kilo.json': {
        mcp: { files: { type: 'local', enabled: true, command: ['node', ...serverArgs(place)] } },
      },
    }),
    call: (tool) => ({ name: `files_${tool}`, input: {} }),
  },
  census: { models: ['plain', 'gpt-5.5'], shown: {} },
}
