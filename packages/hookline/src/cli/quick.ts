import { type Callable, call, FAULT, REFUSED } from './start/call.ts'
import { endWith, printDirectly } from './start/print.ts'

/**
 * The commands that others call for every event. They start from a script of their own, which `bin` links of this module and
 * of what it imports; of these commands it runs the one that is called.
 */
const QUICK: Readonly<Record<string, () => Promise<Callable>>> = {
  explain: () => import('./commands/explain/explain.ts'),
  bridge: async () => ({ usage: '', run: (await import('./commands/bridge/run.ts')).run }),
  wrap: async () => ({ usage: '', run: (await import('./commands/wrap/run.ts')).run }),
}
/** What agents call as a hook: to them any failure but a refusal is leave to go on. */
const IN_A_HOOK = ['bridge', 'wrap']

printDirectly()
const [name = '', ...words] = process.argv.slice(2)
const args = name === 'bridge' ? words.slice(1) : words // of that only `run` comes here
let answer = IN_A_HOOK.includes(name) ? REFUSED : FAULT // to end without one must not read as "no hook objected"
process.exitCode = answer
if (answer === REFUSED)
  process.on('exit', () => {
    process.exitCode = answer // also when an error was not caught, or the answer could not be written
  })
void call(name, args, QUICK[name] ?? (() => import('./commands/fire/fire.ts'))).then((code) => {
  answer = code
  endWith(code)
})
