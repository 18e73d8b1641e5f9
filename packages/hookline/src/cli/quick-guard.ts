import { runHook } from './commands/guard/hook.ts'
import { refuseUntilAnswered } from './start/exit.ts'
import { printDirectly } from './start/print.ts'

/** Module that the guard starts from as a hook: a bundle of its own, since every call waits for it. */
process.removeAllListeners('warning') // the host reads what is written to stderr
printDirectly()
const end = refuseUntilAnswered()
void runHook(process.argv.slice(3)).then(end)
