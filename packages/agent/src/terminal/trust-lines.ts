import { type ConfiguredHook, cleanText } from 'hookline'
import type { TrustQuestion } from './dialog.ts'

/** What a person would let run: every hook with its file, line and command, and whatever else the files define. */
export function trustLines({ request, hooks }: TrustQuestion): string[] {
  return Object.entries(request.files).flatMap(([file, definition]) => {
    const own = hooks.filter((hook) => hook.file === file)
    const { hooks: defined, ...settings } = { hooks: undefined, ...Object(definition) }
    const others = Object.entries(settings).filter(([, value]) => value !== undefined)
    return [
      ...own.flatMap(hookLines),
      ...(own.length === 0 && defined !== undefined ? [`${file}  hooks`, `    ${JSON.stringify(defined)}`] : []),
      ...others.flatMap(([name, value]) => [`${file}  ${name}`, `    ${JSON.stringify(value)}`]),
    ].map(cleanText)
  })
}

function hookLines({ event, matcherText, written, file, line }: ConfiguredHook): string[] {
  const matcher = matcherText === null || matcherText === '' ? '' : `  ${matcherText}`
  const runs = written.command ?? written.prompt ?? 'nothing'
  return [`${event}${matcher}  ${file}:${line}`, ...runs.split('\n').map((text) => `    ${text}`)]
}
