import { type Callable, call } from './start/call.ts'
import { endWith, FAULT, refuseUntilAnswered } from './start/exit.ts'
import { printDirectly } from './start/print.ts'

/**
 * The commands that others call for every event. They start from a script of their own, which `bin` links of this module and
 * of what it imports; of these commands it runs the one that is called.
 */
const LOOKS: Readonly<Record<string, () => Promise<Callable>>> = {
  explain: () => import('./commands/explain/explain.ts'),
}
/** Commands that agents call as a hook: they take no `--help`, loosen nothing and say themselves what goes wrong. */
const HOOKS: Readonly<Record<string, () => Promise<Pick<Callable, 'run'>>>> = {
  bridge: () => import('./commands/bridge/run.ts'),
  wrap: () => import('./commands/wrap/run.ts'),
}

printDirectly()
process.exitCode = FAULT // until there is an answer: to end without one must not read as "no hook objected"
const [name = '', ...words] = process.argv.slice(2)
const hook = HOOKS[name]
if (hook === undefined) void call(name, words, LOOKS[name] ?? (() => import('./commands/fire/fire.ts'))).then(endWith)
else void runAsHook(hook, name === 'bridge' ? words.slice(1) : words) // of `bridge` only `run` comes here

async function runAsHook(load: (typeof HOOKS)[string], args: string[]): Promise<void> {
  const end = refuseUntilAnswered()
  const { run } = await load()
  end(await run(args))
}
