/** Tells on descriptor 3 how many microseconds of CPU the process has taken when it ends. */
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  require('node:fs').writeSync(3, String(user + system))
})
