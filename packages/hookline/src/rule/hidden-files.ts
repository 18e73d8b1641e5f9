import { join } from 'node:path'
import { resolveLinks } from '../files/paths.ts'
import type { RuleSet } from './decide.ts'
import { matchRule, type RuleCall } from './match.ts'
import { makePathTest } from './path-pattern.ts'
import type { Rule } from './rule.ts'
import { isRuleFor } from './tool-families.ts'

/** Finds the files among those of a folder, named from there, that rules keep from being shown; none of them leads through a link. */
export type HiddenFiles = (folder: string) => (name: string) => boolean

/**
 * Finds what a search must not show: files that a deny or ask rule on reading covers. An ask rule that means the search itself
 * was answered. Null: there is nothing to look for.
 */
export async function findHiddenFiles(call: RuleCall, rules: RuleSet): Promise<HiddenFiles | null> {
  const open: Rule[] = []
  for (const rule of rules.ask) if ((await matchRule(rule, call, rules)) === 'no') open.push(rule)
  const tests = [...rules.deny, ...open].flatMap(({ toolName, specifier }) => {
    if (toolName === null || specifier.kind !== 'path') return []
    const counts = isRuleFor(toolName, { toolName: 'Read' }) || isRuleFor(toolName, call)
    return counts ? [makePathTest(specifier.pattern, rules)] : []
  })
  if (tests.length === 0) return null
  return (folder) => {
    const real = resolveLinks(folder)
    return (name) => tests.some((test) => test([join(folder, name), join(real, name)]))
  }
}
