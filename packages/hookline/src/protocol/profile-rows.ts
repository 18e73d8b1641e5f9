/** The rows of the default profile alone: a hook in a process of its own loads nothing else of the protocol. */
export { rows as DEFAULT_ROWS } from './classic/generated/rows.ts'
