import { connect, createServer } from 'node:net'

/**
 * A load balancer of loopback: each connection goes to the next server that answers.
 * @param {readonly number[]} ports of the servers
 * @returns {Promise<{ port: number, stop: () => Promise<void> }>}
 */
export async function startBalancer(ports) {
  let turn = 0
  /** @type {Set<import('node:net').Socket>} */
  const sockets = new Set()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    socket.on('error', () => {}) // told by its end
    turn++
    join(socket, 0)
  })
  /** @param {import('node:net').Socket} socket @param {number} attempt */
  const join = (socket, attempt) => {
    if (attempt === ports.length) return void socket.destroy()
    const upstream = connect(ports[(turn + attempt) % ports.length] ?? 0, '127.0.0.1')
    let isConnected = false
    upstream.once('connect', () => {
      isConnected = true
      socket.pipe(upstream)
      upstream.pipe(socket)
    })
    upstream.on('error', () => {
      if (!isConnected) join(socket, attempt + 1)
    })
    upstream.once('close', () => {
      if (isConnected) socket.destroy()
    })
    socket.once('close', () => upstream.destroy())
  }
  await /** @type {Promise<void>} */ (new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
