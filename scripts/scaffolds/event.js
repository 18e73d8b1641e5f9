/** A row in the table of events, and three cases that reach it. */
const TABLE = 'packages/hookline/src/protocol/schemas/events/classic.ts'
const REPLIES = 'packages/hookline/test/hook/hook-replies.e2e.test.ts'
const CASES = 'conformance/own-events.jsonl'

/** @type {import('./edit.js').ScaffoldKind} */
export const event = {
  says: 'an event of the default profile: its row, and three cases',
  name: /^(?:[A-Z][a-z0-9]+)+$/,
  names: 'an event is called like PreDeploy',
  make(name, tree) {
    tree.refuse(TABLE, new RegExp(`^  ${name}: \\{`, 'm'), `The event ${name} exists already.`)
    tree.insert(
      TABLE,
      '\n})\n',
      `
  ${name}: {
    ...usual,
    when: 'the host is about to do it',
    matchOn: 'target',
    input: z.looseObject({ target: z.string() }),
    answer: z.looseObject(context),
    merges: 'block',
    onBlock: 'it is not done; the reason goes to the model',
    example: { target: 'staging' },
  },`,
      { after: 'defineEvents(' },
    )
    tree.insert(REPLIES, '\n}\n', `\n  ${name}: [...always, block, context],`, { after: 'const REPLIES' })
    const id = name.replaceAll(/(?!^)([A-Z])/g, '-$1').toLowerCase()
    const settings = (/** @type {string} */ matcher, /** @type {string} */ command) => ({
      'project/.claude/settings.json': { hooks: { [name]: [{ matcher, hooks: [{ type: 'command', command }] }] } },
    })
    const fired = [{ hook_event_name: name, target: 'staging' }]
    const cases = [
      {
        id: `own-${id}-blocks`,
        why: `exit code 2 blocks ${name}, and stderr is the reason`,
        profile: 'classic',
        files: settings('*', 'echo not today >&2; exit 2'),
        events: fired,
        expect: [{ decision: { blocked: true, reason: 'not today' }, hooks: [{ verdict: 'ran' }] }],
      },
      {
        id: `own-${id}-passes`,
        why: `a hook of ${name} without an opinion blocks nothing`,
        profile: 'classic',
        files: settings('*', 'cat > /dev/null'),
        events: fired,
        expect: [{ decision: { blocked: false }, hooks: [{ verdict: 'ran' }] }],
      },
      {
        id: `own-${id}-matches`,
        why: `a hook of ${name} for another target does not run`,
        profile: 'classic',
        files: settings('production', 'exit 2'),
        events: fired,
        expect: [{ decision: { blocked: false }, hooks: [{ verdict: 'matcher-miss' }] }],
      },
    ]
    tree.append(CASES, cases.map((one) => `${JSON.stringify(one)}\n`).join(''))
    return {
      files: tree.files,
      next: [
        'Say in the row when it is fired, what it brings and what a refusal does.',
        'npm run generate',
        `npm run conformance -- --only own-${id}`,
        'In a host, fire it where the thing happens.',
      ],
    }
  },
}
