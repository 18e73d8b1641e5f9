/** Exit codes: 0 no hook objected, 1 a mistake of the caller, 2 blocked, 3 a fault of ours. */
export const MISTAKE = 1
export const REFUSED = 2
export const FAULT = 3

/**
 * Ends the process with a code: at once where nothing is left to wait for, since Node would first take its whole heap
 * apart, which takes longer than an event.
 */
export function endWith(code: number): void {
  process.exitCode = code
  if (process.getActiveResourcesInfo().length === 0) process.exit()
}

/** Ends the process at once, since no one reads any more what it prints. */
export function leave(): void {
  process.exit(1)
}

/** The code that a call of an agent ends with until there is an answer: to go on after any other failure is what agents do. */
let failureCode = REFUSED

/**
 * Has the process end as a refusal, whatever happens, until the function that it returns is given an answer to end with: to
 * an agent that has called it as a hook, any other failure is leave to go on.
 */
export function refuseUntilAnswered(): (code: number) => void {
  process.on('exit', () => {
    process.exitCode = failureCode // also when an error was not caught
  })
  return (code) => {
    failureCode = code
    endWith(code)
  }
}

/** Says whether a call waits for the answer: where none does, a failure refuses nothing. */
export function refuseOnFailure(isAwaited: boolean): void {
  failureCode = isAwaited ? REFUSED : 0
}

/** The code of a call of an agent that fails. */
export function chooseFailureCode(): number {
  return failureCode
}

/** Ends the process as a call that fails, whatever it still waits for. */
export function endAsFailure(): void {
  process.exit(failureCode)
}
