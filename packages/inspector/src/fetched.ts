import { useEffect, useState } from 'preact/hooks'

/** An answer that a view waits for. */
export interface Fetched<Answer> {
  readonly answer: Answer | null
  readonly failure: string | null
  readonly isWaiting: boolean
}

/** Asks when a view appears, and again whenever one of the keys changes. The last answer stays until the next one is there. */
export function useAnswer<Answer>(load: () => Promise<Answer | null>, keys: readonly unknown[]): Fetched<Answer> {
  const [fetched, setFetched] = useState<Fetched<Answer>>({ answer: null, failure: null, isWaiting: true })
  useEffect(() => {
    let isCurrent = true
    setFetched((before) => ({ ...before, isWaiting: true }))
    load().then(
      (answer) => isCurrent && setFetched({ answer, failure: null, isWaiting: false }),
      (error: Error) =>
        isCurrent &&
        error.name !== 'AbortError' &&
        setFetched({ answer: null, failure: error.message, isWaiting: false }),
    )
    return () => {
      isCurrent = false
    }
  }, keys)
  return fetched
}
