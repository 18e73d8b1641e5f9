/** Scopes that hooks come from. In which order they speak is a rule of the protocol. */
export const SCOPES = [
  'skill',
  'agent',
  'command',
  'session',
  'flag',
  'local',
  'plugin',
  'project',
  'user',
  'managed',
] as const

export type Scope = (typeof SCOPES)[number]

/** The scopes of markdown components. */
export type ComponentScope = Extract<Scope, 'skill' | 'agent' | 'command'>

/** The scopes that a settings file can belong to. */
export type FileScope = Exclude<Scope, ComponentScope | 'session'>

/** Scopes with a place of their own in the order: components speak in the order in which they became active, whatever their kind. */
export type ScopeInOrder = FileScope | 'session' | 'component'
