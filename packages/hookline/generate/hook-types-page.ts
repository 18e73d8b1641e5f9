import { isDeepStrictEqual } from 'node:util'
import { listTypesInFiles } from '../src/protocol/hook-fields.ts'
import type { HookField, HookTypeFacts } from '../src/protocol/hook-type.ts'

type Types = Readonly<Record<string, HookTypeFacts>>

/** `docs/hook-types.md`: what hooks of each type may have in settings, in which profile. */
export function hookTypesPage(profiles: Readonly<Record<string, Types>>): string {
  const types = new Set(Object.values(profiles).flatMap(listTypesInFiles))
  return [
    '# Hook types',
    '',
    '<!-- Generated from the hook types of the profiles by `npm run generate`. -->',
    '',
    `Settings may hold hooks of ${types.size} types; "type" says which.`,
    '',
    `A type or field that only one profile has says so: [classic and current](classic-and-current.md).`,
    '[Configuration](configuration.md) explains them.',
    '',
    ...[...types].flatMap((type) => hookTypeSection(type, withType(type, profiles), Object.keys(profiles).length)),
  ].join('\n')
}

/** What the page says of one type, from what those of `all` profiles say that have it. */
export function hookTypeSection(type: string, profiles: Readonly<Record<string, HookTypeFacts>>, all = 1): string[] {
  const rows = Object.entries(profiles).flatMap(([profile, { fields, required }]) =>
    Object.entries(fields).map(([name, field]) => ({ name, profiles: [profile], ...cells(name, field, required) })),
  )
  const merged: typeof rows = []
  for (const row of rows) {
    const { profiles: _own, ...told } = row
    const same = merged.find(({ profiles: _theirs, ...other }) => isDeepStrictEqual(other, told))
    if (same) same.profiles.push(...row.profiles)
    else merged.push(row)
  }
  const lines = merged.map(({ name, left, means, profiles: having }) => {
    const where = having.length === Object.keys(profiles).length ? '' : having.map((one) => `\`${one}\``).join(', ')
    return `| \`${name}\` | ${left} | ${means} | ${where} |`
  })
  const [only, ...others] = Object.keys(profiles)
  const note = others.length === 0 && all > 1 ? [`Only \`${only}\` has it.`, ''] : []
  return [`## ${type}`, '', ...note, '| field | when left out | meaning | only in |', '|---|---|---|---|', ...lines, '']
}

function cells(name: string, { means, otherwise = '' }: HookField, required: readonly string[]) {
  return { left: required.includes(name) ? 'required' : otherwise, means }
}

function withType(type: string, profiles: Readonly<Record<string, Types>>): Record<string, HookTypeFacts> {
  return Object.fromEntries(
    Object.entries(profiles).flatMap(([profile, types]) => (types[type] ? [[profile, types[type]]] : [])),
  )
}
