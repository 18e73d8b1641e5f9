/** A view of the inspector: the question that it asks, its answer, its place in every list of views, and a test. */
import { toPascalCase, toWords } from './edit.js'

const INSPECT = 'packages/hookline/src/inspect'
const PAGE = 'packages/inspector/src'

/** @type {import('./edit.js').ScaffoldKind} */
export const view = {
  says: 'a view of the inspector: its question and answer, its place in every list, and a test',
  name: /^[a-z]+(?:-[a-z]+)*$/,
  names: 'a view is called like its address: sessions',
  make(name, tree) {
    const component = toPascalCase(name)
    const answer = `${component}Answer`
    const title = component.charAt(0) + toWords(name).slice(1)
    tree.refuse(`${INSPECT}/api.ts`, new RegExp(`InspectorView = .*'${name}'`), `The view ${name} exists already.`)
    addQuestion(tree, name, answer)
    tree.insert(`${PAGE}/router.ts`, " }\n  | { readonly view: 'session'", ` | '${name}'`, {
      after: 'export type Route',
    })
    tree.insert(`${PAGE}/router.ts`, '] as const', `, '${name}'`, { after: 'PLAIN_VIEWS = [' })
    tree.import(`${PAGE}/main.tsx`, `import { ${component} } from './views/${name}.tsx'`)
    tree.insert(`${PAGE}/main.tsx`, '\n] as const', `\n  ['${name}', '/${name}', '${title}', '${name}'],`, {
      after: 'const VIEWS = [',
    })
    tree.insert(`${PAGE}/main.tsx`, '\n  return (', `\n  if (now.view === '${name}') return <${component} />`, {
      after: 'function View()',
    })
    const key = name.includes('-') ? `'${name}'` : name
    tree.insert(`${PAGE}/main.tsx`, '\n  missing:', `\n  ${key}: '${title}',`, { after: 'const TITLES = {' })
    tree.add(
      `${PAGE}/views/${name}.tsx`,
      `import type { ${answer} } from '../../../hookline/src/inspect/api.ts'
import { ask } from '../ask.ts'
import { useAnswer } from '../fetched.ts'
import { formatCount } from '../format.ts'
import { news } from '../live.ts'
import { NoLog } from './empty.tsx'

/** Projects, and how many sessions each has. */
export function ${component}() {
  const { answer, failure, isWaiting } = useAnswer(() => ask<${answer}>('${name}'), [news.value.count])
  return (
    <>
      <header class="bar">
        <h1>${title}</h1>
      </header>
      {failure !== null && (
        <p class="note" role="alert">
          {failure}
        </p>
      )}
      {isWaiting && answer === null && <p class="empty">Reading the log …</p>}
      {answer !== null && answer.rows.length === 0 && (
        <div class="empty">
          <NoLog />
        </div>
      )}
      {answer !== null && answer.rows.length > 0 && (
        <table class="wide-table">
          <thead>
            <tr>
              <th>Project</th>
              <th>Sessions</th>
            </tr>
          </thead>
          <tbody>
            {answer.rows.map(({ project, sessions }) => (
              <tr key={project}>
                <td>
                  <bdi>{project}</bdi>
                </td>
                <td>{formatCount(sessions)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  )
}
`,
    )
    tree.add(`packages/hookline/test/inspect/${name}.test.ts`, writeTest(name))
    return {
      files: tree.files,
      next: [
        `Write what it answers in ${INSPECT}/views.ts and api.ts, and what it shows in ${PAGE}/views/${name}.tsx.`,
        'A view that the fleet has too goes into "views" of packages/fleet/src/page/fleet-page.ts.',
        'Add its address to "has no fault that axe finds" in packages/hookline/test/inspect/page.e2e.test.ts.',
        `npm run build && npx vitest run test/inspect`,
      ],
    }
  },
}

/**
 * @param {import('./edit.js').Tree} tree
 * @param {string} name
 * @param {string} answer
 */
function addQuestion(tree, name, answer) {
  const count = `count${answer.replace(/Answer$/, '')}`
  const key = name.includes('-') ? `'${name}'` : name
  tree.insert(
    `${INSPECT}/api.ts`,
    '/** A view that the page leads to',
    `/** Projects, and how many of the newest sessions each has. */
export interface ${answer} {
  readonly rows: readonly { readonly project: string; readonly sessions: number }[]
}

`,
  )
  tree.insert(`${INSPECT}/api.ts`, '\n\n/** A log that', ` | '${name}'`, { after: 'export type InspectorView' })
  tree.insert(`${INSPECT}/inspector.ts`, '],\n    logs', `, '${name}'`, { after: '    views: [' })
  tree.insert(`${INSPECT}/views.ts`, "\n} from './api.ts'", `\n  ${answer},`)
  tree.insert(`${INSPECT}/views.ts`, '\n  }\n}', `\n    ${key}: get(() => ${count}(source)),`, {
    after: 'function makeRecordRoutes',
  })
  tree.insert(
    `${INSPECT}/views.ts`,
    'function listSessions(',
    `async function ${count}(source: RecordSource): Promise<${answer}> {
  const { rows } = await source.findSessions({ offset: 0, limit: MAX_ROWS, text: '', words: {}, since: 0 })
  const counts = new Map<string, number>()
  for (const { project } of rows) counts.set(project, (counts.get(project) ?? 0) + 1)
  return { rows: [...counts].map(([project, sessions]) => ({ project, sessions })) }
}

`,
  )
}

/** @param {string} name */
const writeTest = (name) => `import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Logs } from '../../src/inspect/logs.ts'
import { makeRecordRoutes } from '../../src/inspect/views.ts'
import { makeTapReader } from '../../src/log/tapped-record.ts'
import { recordWith } from '../support/log-lines.ts'
import { makeWorld } from '../support/project.ts'

describe('the view ${name}', () => {
  it('counts the sessions of each project', async () => {
    const { root, project } = await makeWorld()
    const file = join(root, 'hooks.jsonl')
    const records = ['first', 'second'].map((sessionId) => recordWith({ sessionId, id: \`m/\${sessionId}\` }))
    await writeFile(file, records.map((record) => \`\${JSON.stringify({ record, input: null })}\\n\`).join(''))
    const routes = makeRecordRoutes(new Logs(async () => [file], await makeTapReader()), { project })
    const answer = await routes${name.includes('-') ? `['${name}']` : `.${name}`}?.answer({ query: new URLSearchParams(), body: null })
    expect(answer).toMatchObject({ rows: [{ sessions: 2 }] })
  })
})
`
