#!/usr/bin/env node
// PreToolUse on Bash: exit code 2 refuses the call, and stderr tells the model why.

import { text } from 'node:stream/consumers'

try {
  const input = JSON.parse(await text(process.stdin))
  if (removesWholeTrees(input.tool_input.command)) refuse('rm -rf is not for agents here. Name the files, or ask.')
} catch (error) {
  refuse(`the guard cannot read this call: ${error.message}`)
}

function refuse(reason) {
  console.error(reason)
  process.exitCode = 2
}

/** Whether some part of the command is an `rm` with both r and f among its flags, however they are written. */
function removesWholeTrees(command) {
  return command.split(/[;&|\n()]/).some((part) => {
    const words = part.trim().split(/\s+/)
    const rm = words.findIndex((word) => /^(?:.*\/)?rm$/.test(word))
    if (rm === -1) return false
    const flags = words.slice(rm + 1).filter((word) => word.startsWith('-'))
    const has = (short, long) => flags.some((flag) => flag === long || new RegExp(`^-[a-z]*${short}`, 'i').test(flag))
    return has('r', '--recursive') && has('f', '--force')
  })
}
