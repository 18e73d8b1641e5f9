/** An id for a new session, as a random UUID. It has to be unique, not secret: what makes secrets takes a tenth of a start to load. */
export function newSessionId(): string {
  return 'xxxxxxxx-xxxx-4xxx-yxxx-xxxxxxxxxxxx'.replace(/[xy]/g, (place) => {
    const digit = place === 'x' ? Math.random() * 16 : 8 + Math.random() * 4
    return Math.floor(digit).toString(16)
  })
}
