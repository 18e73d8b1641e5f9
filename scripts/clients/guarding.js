/** What is looked at of `hookline guard`: the same verdict in every client. Calls are harmless; settings name what they may not touch. */
import { refusal, withheld } from './looking.js'

/**
 * @import { Capability, Run } from './looking.js'
 */

/** What the file holds that settings call a secret. */
const CONTENT = 'content-of-the-place'

/** Words of guards that a model reads, of the place that they speak about. */
const REASON_OF_WRITING = 'startup: writes marked'
const REASON_OF_READING = 'secrets: reads kept'

/** @type {readonly Run[]} */
export const GUARD_RUNS = [
  {
    name: 'guard',
    model: ({ model }) => model,
    files: {
      'marked/.keep': '',
      'go.txt': 'go\n',
      'kept/key': `${CONTENT}-by-shell\n`,
      'kept/note': `${CONTENT}-by-read\n`,
    },
    isGuarded: true,
    homeFiles: () => ({
      '.hookline/guards.json': { places: { startup: ['marked/**'], secret: ['kept/**'] } },
    }),
    hooked: () => ({}),
    calls: ({ shell, write, read }, project) => [
      shell('echo ran > marked/denied.txt'),
      shell('grep -q go go.txt && echo ran > marked/asked.txt'),
      shell('cat kept/key'),
      write?.(`${project}/marked/written.txt`, 'made up\n'),
      read?.(`${project}/kept/note`),
      shell('echo ran > passed.txt'),
    ],
  },
]

/** @type {readonly Capability[]} */
export const GUARD_CAPABILITIES = [
  refusal('guard denies', { run: 'guard', file: 'marked/denied.txt', reason: `${REASON_OF_WRITING}/denied.txt` }),
  refusal('guard asks', { run: 'guard', file: 'marked/asked.txt', reason: `${REASON_OF_WRITING}/asked.txt` }),
  withheld('guard of secrets', { run: 'guard', content: `${CONTENT}-by-shell`, reason: `${REASON_OF_READING}/key` }),
  {
    ...refusal('guard on Write', {
      run: 'guard',
      file: 'marked/written.txt',
      reason: `${REASON_OF_WRITING}/written.txt`,
    }),
    has: ({ write }) => write !== null,
  },
  {
    ...withheld('guard on Read', { run: 'guard', content: `${CONTENT}-by-read`, reason: `${REASON_OF_READING}/note` }),
    has: ({ read }) => read !== null,
  },
  {
    name: 'guard passes',
    run: 'guard',
    control: ({ read }) => read('passed.txt') !== null,
    guarded: ({ read }) =>
      read('passed.txt') === null ? { wrong: 'a call that no guard speaks about did not run' } : 'yes',
  },
]
