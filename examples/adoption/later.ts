// A call that waits for the user, who says no tomorrow.

import { type Clearance, guardCall } from 'hookline/tools'
import { onNotice, openLoop, run } from './host.ts'

const { engine, call } = await openLoop()
const stored: Clearance[] = []
const save = async (clearance: Clearance): Promise<void> => void stored.push(clearance)
const load = async (): Promise<Clearance | undefined> => stored[0]
const allow = false

const end = await guardCall(engine, { ...call, run }, { onAsk: () => 'later', onNotice })
if (end.ended === 'waiting') await save(end.clearance) // show end.question to the user

// tomorrow, elsewhere, with the user's answer; the engine has the same sessionId
const clearance = await load()
if (clearance) await guardCall(engine, { ...call, run, answer: { clearance, allow } }, { onNotice })

console.log(end, clearance === undefined ? '' : 'The user did not allow it')
await engine.close()
