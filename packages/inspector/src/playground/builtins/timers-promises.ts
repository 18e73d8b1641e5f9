const pause = (ms: number): Promise<void> => new Promise((done) => globalThis.setTimeout(done, ms))

export { pause as setTimeout }
