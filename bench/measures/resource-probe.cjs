/** Tells on descriptor 3 what the process has taken when it ends: microseconds of CPU, and memory at its highest. */
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage()
  require('node:fs').writeSync(3, JSON.stringify({ cpuUs: userCPUTime + systemCPUTime, maxRssKib: maxRSS }))
})
