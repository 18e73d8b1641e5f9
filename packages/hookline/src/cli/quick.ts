import { type Callable, call } from './start/call.ts'
import { endWith, FAULT, refuseUntilAnswered } from './start/exit.ts'
import { printDirectly } from './start/print.ts'

/**
 * The commands that others call for every event. They start from a script of their own, which `bin` links of this module and
 * of what it imports; of these commands it runs the one that is called.
 */
const QUICK: Readonly<Record<string, () => Promise<Callable>>> = {
  explain: () => import('./commands/explain/explain.ts'),
  bridge: async () => ({ usage: '', run: (await import('./commands/bridge/run.ts')).run }),
  wrap: async () => ({ usage: '', run: (await import('./commands/wrap/run.ts')).run }),
}
/** Commands that agents call as a hook. */
const IN_A_HOOK = ['bridge', 'wrap']

printDirectly()
process.exitCode = FAULT // until there is an answer: to end without one must not read as "no hook objected"
const [name = '', ...words] = process.argv.slice(2)
const args = name === 'bridge' ? words.slice(1) : words // of that only `run` comes here
const end = IN_A_HOOK.includes(name) ? refuseUntilAnswered() : endWith
void call(name, args, QUICK[name] ?? (() => import('./commands/fire/fire.ts'))).then(end)
