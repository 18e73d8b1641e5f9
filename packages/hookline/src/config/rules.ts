/** The rules of PROTOCOL.md section 15 that reading a configuration meets: how grave each is. */
export const RULES = {
  'V-HK-01': 'error',
  'V-HK-02': 'error',
  'V-HK-03': 'error',
  'V-HK-04': 'error',
  'V-HK-05': 'error',
  'V-HK-06': 'error',
  'V-HK-08': 'error',
  'V-HK-09': 'error',
  'V-HK-12': 'warning',
  'V-HK-13': 'warning',
  'V-HK-14': 'warning',
  'V-HK-15': 'warning',
  'V-HK-16': 'error',
  'V-HK-17': 'error',
} as const

export type RuleId = keyof typeof RULES

/** The fields a hook may have, whatever its type, and the rule that a bad value of each breaks. */
export const HOOK_FIELDS: Readonly<Record<string, RuleId | null>> = {
  type: 'V-HK-05',
  command: 'V-HK-06',
  prompt: 'V-HK-08',
  model: null,
  timeout: 'V-HK-12',
  statusMessage: 'V-HK-13',
  once: 'V-HK-14',
  async: 'V-HK-15',
}

/** The fields a group may have. */
export const GROUP_FIELDS: readonly string[] = ['matcher', 'description', 'hooks']
