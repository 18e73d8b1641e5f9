/** Function hooks of every temper. */
export const FUNCTIONS = [
  () => ({ systemMessage: 'called' }),
  async () => 'text',
  () => {
    throw new Error('thrown')
  },
  async () => Promise.reject(new Error('rejected')),
  () => new Promise(() => {}),
  (/** @type {unknown} */ _input, /** @type {{ signal: AbortSignal }} */ { signal }) =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve({}))),
]
