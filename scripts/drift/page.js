/** Compares answers of a client with recorded ones, and writes what changed as a page. */

/** @import { Question } from './questions.js' */

/**
 * Answers of a client, by the ids of the questions.
 * @typedef {{ client: string, answers: Record<string, string> }} Recorded
 */

/**
 * A question whose answer is another one than before; null: it was not asked then, or is not asked any more.
 * @typedef {{ id: string, asks: string, docs: string | null, was: string | null, is: string | null }} Change
 */

/**
 * The questions of which the answer changed, in their order; then those that are not asked any more.
 * @param {Record<string, string>} before
 * @param {Record<string, string>} now
 * @param {readonly Question[]} questions that were asked
 * @returns {Change[]}
 */
export function findChanges(before, now, questions) {
  const changes = questions.map(({ id, asks, docs }) => ({
    id,
    asks,
    docs,
    was: before[id] ?? null,
    is: now[id] ?? null,
  }))
  return changes.filter(({ was, is }) => was !== is)
}

/**
 * The page that says what changed for hooks.
 * @param {readonly Change[]} changes
 * @param {{ date: string, before: string, now: string, count: number }} asked
 */
export function changePage(changes, { date, before, now, count }) {
  const clients = before === now ? `Claude Code ${now}` : `Claude Code ${now}, recorded from ${before}`
  const head = `# What changed for your hooks

The tables of these pages stand on ${count} questions that \`npm run drift\` asks a real Claude Code: its hooks, a scripted model, no network but
loopback. Asked on ${date}: ${clients}.
`
  if (changes.length === 0) return `${head}\nNothing changed.\n`
  const pages = [...new Set(changes.map(({ docs }) => docs))]
  const sections = pages.map((docs) => {
    const own = changes.filter((change) => change.docs === docs)
    const title = docs === null ? 'Not asked any more' : `What [${docs}](${docs.replace(/^docs\//, '')}) says`
    return `## ${title}\n\n${own.map(changeText).join('\n\n')}\n`
  })
  const word = changes.length === 1 ? '1 answer' : `${changes.length} answers`
  return `${head}\n${word} changed.\n\n${sections.join('\n')}`
}

/** @param {Change} change */
function changeText({ id, asks, was, is }) {
  return `**${asks}** (\`${id}\`)\n\n- was: ${quoted(was)}\n- is: ${quoted(is)}`
}

/** @param {string | null} answer */
function quoted(answer) {
  if (answer === null) return 'not asked'
  const line = answer.replaceAll('\n', ' ⏎ ').trim()
  return line === '' ? 'nothing' : `\`\`${line.startsWith('`') || line.endsWith('`') ? ` ${line} ` : line}\`\``
}
