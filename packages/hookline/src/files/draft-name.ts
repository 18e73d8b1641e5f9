/**
 * Makes an ending for the name of a file that is there for a moment: no other process makes the same, nor another call. It has to
 * be unique, not secret: what makes secrets takes a tenth of a start to load.
 */
export function makeDraftEnding(): string {
  return `${process.pid}-${Math.random().toString(36).slice(2)}`
}
