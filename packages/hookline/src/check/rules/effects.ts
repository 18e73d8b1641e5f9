import type { SourceNode } from '../../config/source.ts'
import { isEffectWord } from '../../rule/effect-pattern.ts'
import { parseRule } from '../../rule/rule.ts'
import type { ExaminedHook, Remark, Rule } from '../rule.ts'
import type { Subject } from '../subject.ts'

/** Rules about permission rules and conditions that speak of effects. */
export const effectRules: readonly Rule[] = [
  {
    id: 'V-HK-54',
    name: 'effect-rule',
    severity: 'note',
    page: {
      title: 'Rules about effects are where they hold',
      why: 'Deletes(~/**), Reads(.env), Writes, Sends, Runs and Changes(database:drop) mean every tool that has the effect. Hosts on Hookline know them, such as hookline-agent, in "deny", "ask" and the "if" of a hook; they never allow anything. Claude Code and other agents take the word for the name of a tool that they do not have: the rule protects nothing there, and a hook with such an "if" never runs. The guards hold in all of them: hookline guard.',
      bad: { '.claude/settings.json': '{\n  "permissions": { "deny": ["Deletes(~/**)"] }\n}\n' },
      good: { '.claude/settings.json': '{\n  "permissions": { "deny": ["Bash(rm:*)"] }\n}\n' },
    },
    findInFile: findEffectRules,
    find: findEffectConditions,
  },
]

/** Lists of permission rules, as settings name them. */
const PERMISSION_LISTS = ['deny', 'ask', 'allow']

function findEffectRules({ root }: Subject): Remark[] {
  const permissions = root?.fields?.get('permissions')?.node.fields
  return PERMISSION_LISTS.flatMap((list) =>
    (permissions?.get(list)?.node.items ?? []).flatMap((node) => describeEffectRule(node, list)),
  )
}

function describeEffectRule(node: SourceNode, list: string): Remark[] {
  const { value } = node
  if (typeof value !== 'string') return []
  const rule = parseRule(value)
  if (!isEffectWord(rule.toolName ?? '')) return []
  if ('fault' in rule) return [{ place: node, severity: 'warning', message: `${rule.fault} The rule does not count.` }]
  const shown = JSON.stringify(rule.text)
  if (list === 'allow')
    return [
      {
        place: node,
        severity: 'warning',
        message: `${shown} allows nothing: rules about effects only deny or ask. Remove it.`,
      },
    ]
  const message = `${shown} protects nothing in Claude Code and other agents, which have no such tool; hosts on Hookline know it. A guard holds in all of them: hookline guard.`
  return [{ place: node, message }]
}

function findEffectConditions({ entry: { hook, row, node } }: ExaminedHook): Remark[] {
  const { condition } = hook
  if (condition === null || condition.fault !== null || !row.takesIf) return []
  const rule = parseRule(condition.text)
  if ('fault' in rule || rule.specifier.kind !== 'effect') return []
  const place = node.fields?.get('if')?.node ?? node
  const message = `Claude Code has no tool "${rule.toolName}", so this hook never runs there; hosts on Hookline run it where a call has, or may have, the effect.`
  return [{ place, severity: 'warning', message }]
}
