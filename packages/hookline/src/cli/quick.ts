import { type Callable, call } from './call.ts'
import * as explain from './explain.ts'
import * as fire from './fire.ts'
import { printDirectly } from './print.ts'

/** The commands that others call for every event. They start from a bundle of their own, which `bin` loads instead of `main.ts`. */
const QUICK: Readonly<Record<string, Callable>> = { fire, explain }

printDirectly()
const [name = '', ...args] = process.argv.slice(2)
void call(name, args, async () => QUICK[name] ?? fire).then((code) => {
  process.exitCode = code
})
