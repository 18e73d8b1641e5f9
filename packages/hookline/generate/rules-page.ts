import { pageText, RULES } from '../src/check/rules/table.ts'

/** `docs/rules.md`: the list of rules, and a section for each. */
export function rulesPage(): string {
  return [
    '# Rules',
    '',
    '<!-- Generated from packages/hookline/src/check/rules by `npm run generate`. -->',
    '',
    '`hookline validate` holds settings files, plugins and the frontmatter of skills, agents and slash commands against these rules.',
    'An error makes it exit with 1. At run time the engine is more tolerant: one bad entry is set aside, and the others run.',
    'V-HK-01 to V-HK-17 are those of the protocol, the others are ours. A rule has a code and a name; `hookline validate --explain unknown-tool` prints its section in the terminal.',
    '',
    '| rule | name | what | |',
    '|---|---|---|---|',
    ...RULES.map(
      ({ id, name, severity, page }) => `| [${id}](#${id.toLowerCase()}) | \`${name}\` | ${page.title} | ${severity} |`,
    ),
    '',
    ...RULES.flatMap((rule) => [`## ${rule.id}`, '', `\`${rule.name}\`: **${rule.page.title}.** ${pageText(rule)}`]),
  ].join('\n')
}
