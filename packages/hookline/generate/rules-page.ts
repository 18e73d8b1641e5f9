import { PAGES, pageText, RULE_IDS } from '../src/check/rules/table.ts'
import { RULES } from '../src/config/rules.ts'

/** `docs/rules.md`: the list of rules, and a section for each. */
export function rulesPage(): string {
  return [
    '# Rules',
    '',
    '<!-- Generated from packages/hookline/src/check/pages by `npm run generate`. -->',
    '',
    '`hookline validate` holds settings files, plugins and the frontmatter of skills, agents and slash commands against these rules.',
    'An error makes it exit with 1. At run time the engine is more tolerant: one bad entry is set aside, and the others run.',
    'V-HK-01 to V-HK-17 are those of the protocol, the others are ours. `hookline validate --explain V-HK-09` prints a section in the terminal.',
    '',
    '| rule | what | |',
    '|---|---|---|',
    ...RULE_IDS.map((rule) => `| [${rule}](#${rule.toLowerCase()}) | ${PAGES[rule].title} | ${RULES[rule]} |`),
    '',
    ...RULE_IDS.flatMap((rule) => [`## ${rule}`, '', `**${PAGES[rule].title}.** ${pageText(rule)}`]),
  ].join('\n')
}
