/** The severity of each rule: up to V-HK-17 the protocol's, from there on ours. `docs/rules.md` explains them. */
export const RULES = {
  'V-HK-01': 'error',
  'V-HK-02': 'error',
  'V-HK-03': 'error',
  'V-HK-04': 'error',
  'V-HK-05': 'error',
  'V-HK-06': 'error',
  'V-HK-07': 'error',
  'V-HK-08': 'error',
  'V-HK-09': 'error',
  'V-HK-10': 'warning',
  'V-HK-11': 'warning',
  'V-HK-12': 'warning',
  'V-HK-13': 'warning',
  'V-HK-14': 'warning',
  'V-HK-15': 'warning',
  'V-HK-16': 'error',
  'V-HK-17': 'error',
  'V-HK-18': 'warning',
  'V-HK-19': 'warning',
  'V-HK-20': 'warning',
  'V-HK-21': 'warning',
  'V-HK-22': 'warning',
  'V-HK-23': 'warning',
  'V-HK-24': 'warning',
  'V-HK-25': 'warning',
  'V-HK-26': 'warning',
  'V-HK-27': 'warning',
  'V-HK-28': 'warning',
  'V-HK-29': 'warning',
  'V-HK-30': 'warning',
  'V-HK-31': 'warning',
} as const

export type RuleId = keyof typeof RULES

/** Whether there is a rule of this name. */
export function isRule(name: string): name is RuleId {
  return Object.hasOwn(RULES, name)
}

/** The fields a group may have. */
export const GROUP_FIELDS: readonly string[] = ['matcher', 'description', 'hooks']
