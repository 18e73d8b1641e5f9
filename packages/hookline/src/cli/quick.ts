import { run as runForHost } from './commands/bridge/run.ts'
import * as explain from './commands/explain/explain.ts'
import * as fire from './commands/fire/fire.ts'
import { run as runWrapped } from './commands/wrap/run.ts'
import { type Callable, call } from './start/call.ts'
import { endWith, printDirectly } from './start/print.ts'

/** The commands that others call for every event. They start from a script of their own, which `bin` links of this module and its imports. */
const QUICK: Readonly<Record<string, Callable>> = {
  fire,
  explain,
  bridge: { usage: '', run: runForHost },
  wrap: { usage: '', run: runWrapped },
}

printDirectly()
const [name = '', ...words] = process.argv.slice(2)
const args = name === 'bridge' ? words.slice(1) : words // of that only `run` comes here
void call(name, args, async () => QUICK[name] ?? fire).then(endWith)
