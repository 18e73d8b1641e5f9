import { type Ask, formatAsk } from '../../config/folder-request.ts'
import { describeDoubt } from '../../config/trusted-worktree.ts'
import type { TrustReview } from '../../engine/trust-review.ts'
import { toVisible, toVisibleLines } from '../../text/visible.ts'
import { diffView } from './diff-view.ts'
import { indentText, wrapHangingLine } from './layout.ts'
import type { Terminal } from './terminal.ts'

/** Formats what the user would let run, whole and with nothing hidden in it. */
export function formatTrust(review: TrustReview, terminal: Terminal): string[] {
  const { request } = review
  const { paint, width } = terminal
  const files = Object.keys(request.files)
  if (files.length === 0) return [indentText('Nothing in this project needs to be trusted.', '', width)]
  return [
    paint.bold(toVisible(request.folder)),
    '',
    ...files.flatMap((file) => [
      paint.bold(toVisible(file)),
      ...request.asks.filter((ask) => ask.file === file).flatMap((ask) => askLines(ask, terminal)),
      '',
    ]),
    ...formatTrustChanges(review, terminal),
    ...(review.worktree === null
      ? []
      : [paint.yellow(indentText(toVisible(describeDoubt(review.worktree)), '', width)), '']),
    ...(review.doubt === null ? [] : [paint.yellow(indentText(toVisible(review.doubt), '', width)), '']),
    `digest    ${request.digest}`,
    `trusted   ${trustText(review, terminal)}`,
  ]
}

function askLines(ask: Ask, { width, paint }: Terminal): string[] {
  const { heading, lines } = formatAsk(ask)
  return [
    indentText(toVisible(heading), '  ', width),
    ...lines
      .flatMap((text) => toVisibleLines(text).split('\n'))
      .map((line) => paint.cyan(wrapHangingLine(line, '      ', width))),
  ]
}

function formatTrustChanges({ accepted, last, changes }: TrustReview, terminal: Terminal): string[] {
  if (accepted || last === null) return []
  const heading = terminal.paint.bold('Changed since you trusted it')
  if (changes === null)
    return [
      heading,
      indentText('What was trusted then is not known, only that it was different.', '  ', terminal.width),
      '',
    ]
  return [heading, ...changes.flatMap(({ diff }) => diffView(diff, terminal)), '']
}

function trustText({ accepted, wrongDigest, last, request }: TrustReview, { paint }: Terminal): string {
  const isOfEnvironment = process.env.HOOKLINE_TRUST !== undefined && last?.digest !== request.digest
  const isOfRepository = Object.keys(request.files).length > 0 && last?.digest !== request.digest
  const at = last?.at === undefined ? '' : `, ${toVisible(last.at)}`
  if (accepted && isOfEnvironment) return paint.green('yes, by HOOKLINE_TRUST')
  if (accepted) return paint.green(isOfRepository ? 'yes, with the repository that it is a worktree of' : `yes${at}`)
  if (wrongDigest !== null) return paint.yellow('no: HOOKLINE_TRUST has another digest')
  return paint.yellow(last === null ? 'no: hookline trust accept' : `not as it is now: hookline trust accept`)
}
