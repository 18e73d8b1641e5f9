/** One thing somebody said, as plain text. */
export interface SpokenMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
}
