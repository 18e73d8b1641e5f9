import type { ConfiguredHook } from '../config/hook.ts'
import type { TrustReview } from '../engine/trust-review.ts'
import { visible, visibleLines } from '../text/visible.ts'
import { diffView } from './diff-view.ts'
import { hung, indented } from './layout.ts'
import type { Terminal } from './terminal.ts'

/** What a person would let run, whole and with nothing hidden in it. */
export function trustView(review: TrustReview, terminal: Terminal): string[] {
  const { request, hooks } = review
  const { paint, width } = terminal
  const files = Object.entries(request.files)
  if (files.length === 0) return [indented('Nothing in this project needs to be accepted.', '', width)]
  return [
    paint.bold(visible(request.folder)),
    '',
    ...files.flatMap(([file, definition]) => [
      paint.bold(visible(file)),
      ...hooks.filter((hook) => hook.file === file).flatMap((hook) => hookLines(hook, terminal)),
      ...settingLines(definition, terminal),
      '',
    ]),
    ...changeLines(review, terminal),
    `digest    ${request.digest}`,
    `accepted  ${acceptedWords(review, terminal)}`,
  ]
}

function hookLines({ event, matcherText, written, file, line }: ConfiguredHook, { width, paint }: Terminal): string[] {
  const matcher = matcherText === null || matcherText === '' ? '' : `  ${visible(matcherText)}`
  const runs = written.command ?? written.prompt ?? 'nothing'
  return [
    indented(`${event}${matcher}  ${visible(`${file}:${line}  ${written.type ?? 'no type'}`)}`, '  ', width),
    ...visibleLines(runs)
      .split('\n')
      .map((text) => paint.cyan(hung(text, '      ', width))),
  ]
}

/** Switches and special commands of a file. */
function settingLines(definition: unknown, { width, paint }: Terminal): string[] {
  const { hooks: _hooks, ...settings } = definition as Record<string, unknown> // an object by file
  return Object.entries(settings)
    .filter(([, value]) => value !== undefined)
    .flatMap(([name, value]) => [`  ${name}`, paint.cyan(indented(visible(JSON.stringify(value)), '      ', width))])
}

function changeLines({ accepted, last, changes }: TrustReview, terminal: Terminal): string[] {
  if (accepted || last === null) return []
  const heading = terminal.paint.bold('Changed since you accepted it')
  if (changes === null)
    return [
      heading,
      indented('What was accepted then is not known, only that it was different.', '  ', terminal.width),
      '',
    ]
  return [heading, ...changes.flatMap(({ diff }) => diffView(diff, terminal)), '']
}

function acceptedWords({ accepted, last }: TrustReview, { paint }: Terminal): string {
  const at = last?.at === undefined ? '' : `, ${visible(last.at)}`
  if (accepted) return paint.green(`yes${at}`)
  return paint.yellow(last === null ? 'no: hookline trust accept' : `not as it is now: hookline trust accept`)
}
