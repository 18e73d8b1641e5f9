/** Milliseconds that this process has worked so far: unlike a clock, they do not run while a busy machine works for others. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
