import { serverArgs } from '../client.js'
import { opencode } from './opencode.js'

/**
 * A descendant of opencode, with its tools and plugins.
 * @type {import('../client.js').Client}
 */
export const kilo = {
  ...opencode,
  name: 'kilo',
  version: '7.7.9',
  npm: '@kilocode/cli-linux-x64',
  program: '@kilocode/cli-linux-x64/bin/kilo',
  known: { ...opencode.known },
  files: (place) => ({ '.config/kilo/kilo.json': Object(opencode.files(place)['.config/opencode/opencode.json']) }),
  env: ({ url }) => ({
    KILO_API_URL: url,
    KILO_DISABLE_MODELS_FETCH: '1',
    KILO_DISABLE_AUTOUPDATE: '1',
    KILO_DISABLE_SESSION_INGEST: '1',
    KILO_DISABLE_DEFAULT_PLUGINS: '1', // one of them indexes the project at every start
    KILO_TELEMETRY_LEVEL: 'off',
    npm_config_fetch_retries: '0',
  }),
  args: (prompt) => ['run', '--auto', prompt],
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
