/** What was thrown, in words; anything can be thrown. */
export function thrownMessage(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'something that has no words'
  }
}
