import { run } from './commands/tap/run.ts'
import { endWith } from './start/print.ts'

/** What hooks that are tapped start from: a bundle of its own, since the client waits for it at every event. */
process.removeAllListeners('warning') // the host reads what is written to stderr
void run(process.argv.slice(3)).then(endWith, () => endWith(1))
