import { type Bridge, makeOwnToolRow } from '../bridge.ts'
import { makePluginAnswers, opencode } from './opencode.ts'

/** Fields that Kilo has added to tools of opencode. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  grep: ['context', 'limit', 'literal', 'ignoreCase'],
  task: ['background'],
}

/** Kilo, a descendant of opencode: its plugins, and tools of its own beside those of opencode. */
export const kilo: Bridge = {
  ...opencode,
  name: 'kilo',
  title: 'Kilo',
  seen: { version: '7.7.9', mark: 'O' },
  install: {
    ...opencode.install,
    files: { user: '.config/kilo/plugin/hookline.js', project: '.kilo/plugin/hookline.js' },
    switches: [
      { variable: 'KILO_PURE', is: ['1', 'true'], mark: 'S' },
      { variable: 'KILO_DISABLE_PROJECT_CONFIG', is: ['1', 'true'], stops: 'project', mark: 'S' },
    ],
    person: ['With --pure Kilo loads no plugin and asks no hook.'],
  },
  mcp: {
    ...opencode.mcp,
    files: ['~/.config/kilo/kilo.json', '~/.config/kilo/kilo.jsonc', 'kilo.json', 'kilo.jsonc', '.kilo/kilo.json'].map(
      (file) => ({ file, format: 'jsonc', key: 'mcp' }),
    ),
  },
  tools: [
    ...opencode.tools.map((rule) => ({ ...rule, harmless: [...(rule.harmless ?? []), ...(MORE[rule.host] ?? [])] })),
    {
      host: 'background_process',
      claude: 'Bash',
      input: { command: 'command', description: 'description', timeout: 'timeout' },
      optional: ['command'], // the tool also lists and ends what was started
      harmless: ['action', 'id', 'ready', 'lines', 'inherit', 'persistent'],
      folder: 'workdir',
      rewrite: 'rename',
    },
    makeOwnToolRow('board_post', 'to', 'type', 'body', 'reply_to'),
    makeOwnToolRow('board_read', 'since', 'limit'),
    makeOwnToolRow('cron_create', 'prompt', 'cron', 'when', 'delay'),
    makeOwnToolRow('cron_delete', 'id'),
    makeOwnToolRow('cron_list'),
    makeOwnToolRow('schedule_wakeup', 'prompt', 'delay', 'when', 'reason'),
    makeOwnToolRow('cancel_wakeup', 'action', 'id'),
    makeOwnToolRow('goal', 'action', 'objective'),
    makeOwnToolRow('kilo_local_recall', 'mode', 'query', 'sessionID', 'limit'),
    makeOwnToolRow('link_pr', 'url'),
  ],
  answers: makePluginAnswers('Kilo'),
  recipe: opencode.recipe && {
    ...opencode.recipe,
    programs: ['kilo'],
    files: { '.config/kilo/kilo.json': opencode.recipe.files['.config/opencode/opencode.json'] ?? {} },
    env: {
      KILO_API_URL: '{url}',
      KILO_DISABLE_MODELS_FETCH: '1',
      KILO_DISABLE_AUTOUPDATE: '1',
      KILO_DISABLE_SESSION_INGEST: '1',
      KILO_DISABLE_DEFAULT_PLUGINS: '1', // one of them indexes the project at every start
      KILO_TELEMETRY_LEVEL: 'off',
      npm_config_fetch_retries: '0',
    },
    args: ['run', '--auto', '{prompt}'],
  },
}
