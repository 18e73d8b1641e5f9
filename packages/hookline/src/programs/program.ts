/** Systems beyond files that a call can change. */
export type System =
  | 'git'
  | 'registry'
  | 'database'
  | 'cloud'
  | 'cluster'
  | 'containers'
  | 'machine'
  | 'service'
  | 'agent'

/** Meaning of an operand or of the value of an option. */
export type Role =
  | 'value'
  | 'reads'
  | 'names'
  | 'tree'
  | 'uses'
  | 'writes'
  | 'appends'
  | 'edits'
  | 'makes'
  | 'mode'
  | 'owner'
  | 'link'
  | 'deletes'
  | 'deletes-tree'
  | 'empties'
  | 'script'
  | 'fetch'
  | 'send'
  | 'posts'
  | 'code'

/** A change of a system: `registry publish`, with its sureness if that is not `certain`, or `small` for one that guards take for likely. */
export type SystemChange = `${System} ${string}`

/** A program, or one of its subcommands, by what its words mean. */
export interface Program {
  /** Roles of the operands in their order; the last one holds for all that follow. */
  readonly operands?: string
  /** Role of the last operand, where that is another, as in `cp a b DIR`. */
  readonly last?: Role
  /** Roles of options by their value: `{ writes: '-o --output' }`. */
  readonly options?: Readonly<Partial<Record<Role, string>>>
  /** Options whose value says nothing of effects. */
  readonly valued?: string
  /** True for programs whose long options begin with one dash. */
  readonly oneDash?: boolean
  /** Options with which it only shows what it would do. */
  readonly dry?: string
  /** Changes that it makes whenever it runs. */
  readonly does?: SystemChange
  /** Changes that it makes with an option. */
  readonly with?: Readonly<Record<string, SystemChange>>
  /** Subcommands by name; several names of one are separated by blanks. */
  readonly under?: Readonly<Record<string, Program>>
  /** Changes by the words that follow, the first that matches; null for none. */
  readonly verbs?: readonly (readonly [RegExp, SystemChange | null])[]
  /** Subcommands whose operands, where they are addresses, are code that is fetched and put to work. */
  readonly addresses?: string
  /** Content that it prints besides what it reads. */
  readonly prints?: 'secret' | 'fetch' | 'decode' | 'environment' | 'project' | 'nothing'
  /** Options with which it says only whether, and shows nothing of what it reads. */
  readonly quiet?: string
  /** True for a program that prints lines of its input, and changes none. */
  readonly filters?: boolean
  /** Language of what it reads from its input, where it runs that. */
  readonly input?: 'sql'
  /** Name of the reader, for programs whose words no row can tell. */
  readonly reader?: string
  /** Calls of it, and what they mean, checked by a test. */
  readonly examples?: Readonly<Record<string, string>>
}
