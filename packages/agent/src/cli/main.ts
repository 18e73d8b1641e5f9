import { call } from './call.ts'

process.stdout.on('error', () => {}) // the reader is gone
process.exitCode = await call(process.argv.slice(2))
