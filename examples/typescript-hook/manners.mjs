// @ts-check
import { execFileSync } from 'node:child_process'

/** @type {import('hookline/hook').Handlers} */
export const manners = {
  PreToolUse(input, reply) {
    const pushes = String(input.tool_input?.command).match(/\bgit\s+push\b[^&|;\n]*/g)
    if (pushes === null) return
    if (pushes.some((push) => /\s(--force|-\w*f\w*)(\s|$)/.test(push))) {
      return reply.deny('A forced push loses the work of others. Use --force-with-lease, or ask.')
    }
    return reply.ask(`Push ${branch(input.cwd)}?`)
  },

  Stop(input, reply) {
    const changes = git(input.cwd, 'status', '--porcelain')
    if (changes === '') return
    // The agent already goes on because of a Stop hook: blocking again could keep it running for ever.
    if (input.stop_hook_active) return reply.systemMessage('The agent stopped with uncommitted changes.')
    return reply.block(`Commit your work before you stop, or say why not:\n${changes}`)
  },
}

/** @param {string | undefined} cwd */
function branch(cwd) {
  return git(cwd, 'branch', '--show-current') || 'a detached head'
}

/**
 * What git prints; its complaints become part of the error when it fails.
 * @param {string | undefined} cwd
 * @param {string[]} args
 */
function git(cwd, ...args) {
  return execFileSync('git', args, { cwd, encoding: 'utf8', stdio: 'pipe' }).trimEnd()
}
