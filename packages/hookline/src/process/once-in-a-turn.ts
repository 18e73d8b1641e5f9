/** Answers a question about the system once for all who ask it in the same turn of the loop. */
export function askOnceInATurn<Answer>(ask: () => Answer): () => Answer {
  let known: { readonly answer: Answer } | undefined
  return () => {
    if (known === undefined) {
      known = { answer: ask() }
      setImmediate(() => {
        known = undefined
      })
    }
    return known.answer
  }
}
