/**
 * A host that is killed: opens an engine on a home whose user is in a fleet, decides events as fast as they are asked for, and
 * prints the id of each record once its decision is there, and with it that the disk was found slow: from then on records are written
 * beside the events, and a crash may lose what waits. A line on stdin is a number of events; the end of stdin ends it.
 */
import { writeSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { openEngine } from 'hookline'

const [home = ''] = process.argv.slice(2)
const engine = await openEngine({ home, project: join(home, 'project') })
for await (const line of createInterface(process.stdin))
  for (let left = Number(line); left > 0; left--) {
    const { id, notices = [] } = await engine.dispatch({ hook_event_name: 'Stop' })
    const isSlow = notices.some((notice) => notice.includes('is slow'))
    writeSync(1, `${id}${isSlow ? ' slow' : ''}\n`)
  }
await engine.close()
