/**
 * Takes things one after the other, each after what the one before it changed has been drawn: several keys may come at
 * once, and each means what it means on the screen that the last one left.
 */
export function oneByOne<Thing>(take: (thing: Thing) => void): (thing: Thing) => void {
  const waiting: Thing[] = []
  const next = (): void => {
    const thing = waiting[0]
    if (thing === undefined) return
    take(thing)
    setImmediate(() => {
      waiting.shift()
      next()
    })
  }
  return (thing) => {
    waiting.push(thing)
    if (waiting.length === 1) next()
  }
}
