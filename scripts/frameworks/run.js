// Runs the battery with one driver, and prints what came of each case as JSON: node run.js ai-sdk [streamed]

import { CASES, runCase } from './battery.js'

const [name = '', how] = process.argv.slice(2)
const { driver } = await import(`./drivers/${name}.js`)
/** @type {Record<string, { passed: boolean, why: string | null }>} */
const seen = {}
for (const one of Object.keys({ ...CASES, ...driver.cases })) {
  try {
    seen[one] = { passed: true, why: await runCase(one, driver, { streamed: how === 'streamed' }) }
  } catch (error) {
    seen[one] = { passed: false, why: error instanceof Error ? error.message : String(error) }
  }
}
console.log(JSON.stringify(seen))
process.exit() // a framework may leave something open
