import { formatRulePage, RULES } from '../src/check/rules/table.ts'

/** `docs/rules.md`: the list of rules, and a section for each. */
export function rulesPage(): string {
  return [
    '# Rules',
    '',
    '<!-- Generated from packages/hookline/src/check/rules by `npm run generate`. -->',
    '',
    '`hookline validate` checks settings files, plugins and the frontmatter of skills, agents and slash commands against these rules.',
    '',
    'An error makes it exit with 1. At run time the engine is more tolerant: one bad entry is set aside, and the others run.',
    'V-HK-01 to V-HK-17 are those of the protocol, the others are ours. A rule has a code and a name; `hookline validate --explain unknown-tool` prints its section in the terminal.',
    '',
    '| rule | name | what | |',
    '|---|---|---|---|',
    ...RULES.map(
      ({ id, name, severity, page }) => `| [${id}](#${id.toLowerCase()}) | \`${name}\` | ${page.title} | ${severity} |`,
    ),
    '',
    ...measured(),
    ...RULES.flatMap((rule) => [
      `## ${rule.id}`,
      '',
      `\`${rule.name}\`: **${rule.page.title}.** ${formatRulePage(rule)}`,
    ]),
  ].join('\n')
}

/** Warnings in settings files of public repositories, each looked at by hand: how many, how many of them were wrong, and why. */
const JUDGED: readonly (readonly [name: string, found: number, wrong: number, why: string])[] = [
  ['unquoted-path', 135, 0, ''],
  ['relative-script', 74, 1, 'on SessionStart with the matcher startup the session has not left its folder yet'],
  ['unset-variable', 10, 0, ''],
  ['invalid-timeout', 6, 0, ''],
  ['misplaced-hooks', 5, 0, ''],
  ['unread-output', 4, 0, ''],
  ['misplaced-once', 2, 0, ''],
  ['bash-in-sh', 1, 0, ''],
  ['type-cannot-run', 1, 0, ''],
]

/** How often rules are right, for the page. */
function measured(): string[] {
  const sum = (at: 1 | 2): number => JUDGED.reduce((all, row) => all + row[at], 0)
  return [
    `How often they are right was looked at in 92 settings files of public repositories, under the profile \`current\` (\`npm run real-settings\`, November 2026). No error was wrong; of ${sum(1)} warnings ${sum(2)} was. The scripts that the hooks name were not there, so rules that look into scripts say more in a project of yours.`,
    '',
    '| warnings of | found | wrong | why |',
    '|---|---|---|---|',
    ...JUDGED.map(([name, found, wrong, why]) => `| \`${name}\` | ${found} | ${wrong} | ${why} |`),
    '',
  ]
}
