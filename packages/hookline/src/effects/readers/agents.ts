import { noteChange } from '../context.ts'
import { findLoosening } from '../loosening.ts'
import { type Content, readWord, showValue, toKnownWord, UNKNOWN_CONTENT } from '../value.ts'
import { type Call, type Reader, readByRow, readCallWords } from './call.ts'

/** Readers of coding agents, and of Hookline itself. */
const AGENT_READERS: Readonly<Record<string, Reader>> = {
  agent: readAgent,
  hookline: readHookline,
}

/** Reads a call by the one of them that its row names. */
export const readAgentCall: Reader = (call) => readByRow(AGENT_READERS, call)

/** Options of agents that have the sound of such. */
const AGENT_LOOSE =
  /^--?[\w-]*(?:unsafe|danger|bypass|yolo|allow-all|auto-?approve|auto-?accept|skip-permission|no-confirm|no-approval|yes-always|trust-all|full-access|unattended)[\w-]*(?:=.*)?$/i

const AGENT_OPEN =
  /^--(?:dangerously(?:-[\w-]+)?|unsafe(?:-[\w-]+)?|bypass-[\w-]+|allow-all|disable-(?:hooks|guards?|sandbox|permissions|approvals?)|no-(?:hooks|guards?|permissions|approvals?)|yolo|full-auto|allow-all-tools|allow-all-paths|auto-approve|yes-always|trust-all-tools|no-sandbox|skip-permissions)$/

function readAgent({ context, name, words }: Call): Content {
  const texts = readCallWords(words)
  const line = texts.join(' ')
  const target = `${name} ${line}`
  const { variables } = context.shell
  const home = variables.get('HOME')
  // Another home is one without the settings and hooks of this one.
  if (home && readWord(home) !== context.reading.world.home)
    noteChange(context, 'agent', 'settings', `HOME=${showValue(home)} ${target}`)
  if (/^(?:auto|yolo)$/i.test(readWord(variables.get('GOOSE_MODE') ?? toKnownWord('')) ?? ''))
    noteChange(context, 'agent', 'without-permissions', target)
  if (name === 'goose' && texts.some((text) => /^(?:reset|down-to)$/.test(text)))
    noteChange(context, 'database', 'reset', target, 'likely')
  if (name === 'copilot' && /^(?:app|svc|env|job|task|pipeline|secret) delete\b/.test(line))
    noteChange(context, 'cloud', 'delete', target)
  const isOpen =
    texts.some((text) => AGENT_OPEN.test(text)) ||
    /--permission-mode[= ](?:bypassPermissions|auto|dontAsk)|--approval-mode[= ](?:yolo|auto|never)|--ask-for-approval[= ]never|(?:^|\s)-a never|--sandbox[= ]danger-full-access|-s danger-full-access|approval_policy\W+never|sandbox_mode\W+danger|--allowed-?tools[= ]\S*(?:Bash(?:\(\*\))?|\*)/i.test(
      line,
    ) ||
    (name === 'aider' && texts.includes('--yes')) ||
    (name === 'droid' && /--auto[= ](?:high|full)/.test(line)) ||
    ((name === 'gemini' || name === 'qwen') && texts.includes('-y')) ||
    (name === 'cursor-agent' && (texts.includes('-f') || texts.includes('--force')))
  if (isOpen) noteChange(context, 'agent', 'without-permissions', target)
  else if (texts.some((text) => AGENT_LOOSE.test(text)))
    noteChange(context, 'agent', 'without-permissions', target, 'likely')
  if (
    /^(?:config|settings?) (?:set|add|remove|unset|rm)\b/.test(line) ||
    /^mcp (?:add|add-json|remove|rm|add-from\S*|reset\S*|enable|disable)\b/.test(line) ||
    /^(?:plugin|plugins|extensions?) (?:install|add|uninstall|remove|rm|disable|enable|update|link|marketplace (?:add|remove|rm))\b/.test(
      line,
    ) ||
    /--(?:settings|mcp-config|setting-sources|plugin-dir|with-(?:remote-)?extension|with-builtin|add-mcp|mcp-server|additional-mcp-config)(?:[= ]|$)/.test(
      line,
    ) ||
    /^hooks? (?:disable|remove|off|trust)\b|^features? (?:disable|enable)\b/.test(line) ||
    texts.includes('--bare') ||
    texts.includes('--disable-hooks')
  )
    noteChange(context, 'agent', 'settings', target)
  return UNKNOWN_CONTENT
}

function readHookline({ context, words }: Call): Content {
  const texts = readCallWords(words)
  if (findLoosening(texts) !== null) noteChange(context, 'agent', 'loosen', `hookline ${texts.join(' ')}`)
  return UNKNOWN_CONTENT
}
