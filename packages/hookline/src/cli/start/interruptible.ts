/** Does something that an interrupt asks to end early; says whether one came. */
export async function interruptible<Result>(
  act: (signal: AbortSignal) => Promise<Result>,
): Promise<{ readonly result: Result; readonly interrupted: boolean }> {
  const stop = new AbortController()
  const interrupt = (): void => stop.abort()
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt)
  try {
    return { result: await act(stop.signal), interrupted: stop.signal.aborted }
  } finally {
    process.off('SIGINT', interrupt).off('SIGTERM', interrupt)
  }
}
