import { run } from './commands/tap/run.ts'
import { endWith, MISTAKE, REFUSED, refuseUntilAnswered } from './start/exit.ts'
import { tell } from './start/print.ts'

/** Module that tapped hooks start from: a bundle of its own, since the client waits for it at every event. */
process.removeAllListeners('warning') // the host reads what is written to stderr
const args = process.argv.slice(3)
const wrapsHook = args.includes('--') // else it only records, which never blocks
const end = wrapsHook ? refuseUntilAnswered() : endWith
void run(args).then(end, (error) => {
  if (wrapsHook) tell(`hookline tap: the hook could not be run: ${error instanceof Error ? error.message : error}\n`)
  end(wrapsHook ? REFUSED : MISTAKE)
})
