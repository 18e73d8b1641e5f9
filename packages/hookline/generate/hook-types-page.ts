import { typesInFiles } from '../src/protocol/hook-fields.ts'
import type { HookTypeFacts } from '../src/protocol/hook-type.ts'

/** `docs/hook-types.md`: what hooks of each type may have in settings. */
export function hookTypesPage(profile: string, types: Readonly<Record<string, HookTypeFacts>>): string {
  const named = typesInFiles(types)
  return [
    '# Hook types',
    '',
    '<!-- Generated from the hook types of the profile by `npm run generate`. -->',
    '',
    `Settings of the \`${profile}\` profile may hold hooks of ${named.length} types; "type" says which. [Configuration](configuration.md) explains them.`,
    '',
    ...named.flatMap((type) => hookTypeSection(type, types[type])),
  ].join('\n')
}

/** What the page says of one type. */
export function hookTypeSection(
  type: string,
  { fields, required }: HookTypeFacts = { fields: {}, required: [] },
): string[] {
  const rows = Object.entries(fields).map(([name, { means, otherwise = '' }]) => {
    const left = required.includes(name) ? 'required' : otherwise
    return `| \`${name}\` | ${left} | ${means} |`
  })
  return [`## ${type}`, '', '| field | when left out | meaning |', '|---|---|---|', ...rows, '']
}
