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
    'V-HK-01 to V-HK-17 are those of the protocol, the others are ours. `hookline validate --explain V-HK-09` prints a section in the terminal.',
    '',
    '| rule | what | |',
    '|---|---|---|',
    ...RULES.map(({ id, severity, page }) => `| [${id}](#${id.toLowerCase()}) | ${page.title} | ${severity} |`),
    '',
    ...RULES.flatMap((rule) => [`## ${rule.id}`, '', `**${rule.page.title}.** ${pageText(rule)}`]),
  ].join('\n')
}
