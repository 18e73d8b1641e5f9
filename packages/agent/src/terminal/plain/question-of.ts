import { BEHAVIORS } from 'hookline/rules'
import { type FormField, readField, readFormFields } from '../dialogs/form-fields.ts'
import { APPROVALS, makeApproval, makePlanRefusal } from '../dialogs/plan-answer.ts'
import { addRule, formatRuleLine, listRules, removeRule, replaceRule } from '../dialogs/rule-changes.ts'
import type { TerminalHost } from '../host.ts'
import type { Dialog } from '../state/dialog.ts'
import { formatAskedCall } from '../text/asked-lines.ts'
import { foldToOneLine, formatCallQuestion } from '../text/call-text.ts'
import { formatTrustLines } from '../text/trust-lines.ts'
import { formatUpdate } from '../text/update-text.ts'
import { makeHooksQuestion } from './hooks-question.ts'
import type { Question } from './question.ts'

/** A dialog in words. */
export function toQuestion(dialog: Dialog, host: TerminalHost): Question {
  switch (dialog.kind) {
    case 'trust':
      return makeTrustQuestion(dialog)
    case 'permission':
      return makePermissionQuestion(dialog, host.options.project)
    case 'sessions':
      return makeSessionsQuestion(dialog)
    case 'form':
      return makeFormQuestion(dialog)
    case 'rewind':
      return makeRewindQuestion(dialog)
    case 'plan':
      return makePlanQuestion(dialog)
    case 'permissions':
      return makePermissionsQuestion(dialog, host)
    case 'hooks':
      return makeHooksQuestion(dialog, host)
  }
}

function makeTrustQuestion({ question, answer }: Extract<Dialog, { kind: 'trust' }>): Question {
  const lines = [
    `The folder ${question.request.folder} has hooks that you do not trust yet:`,
    ...formatTrustLines(question.request),
    'Type yes to trust them (they run with your permissions), no to continue without them.',
  ]
  return {
    text: lines.join('\n'),
    take: (line) => {
      if (!/^(y|yes|n|no)$/i.test(line.trim())) return 'Type yes or no.'
      answer(/^y/i.test(line.trim()))
      return ''
    },
  }
}

function makePermissionQuestion(dialog: Extract<Dialog, { kind: 'permission' }>, cwd: string): Question {
  const { question, change, answer } = dialog
  const { tool, input, reason, suggestions } = question
  const always = suggestions.map((update, at) => `${at + 2}: yes, and always: ${formatUpdate(update)}`)
  const text = [
    formatCallQuestion(tool, input, cwd),
    ...formatAskedCall(input, cwd, change).map((line) => `  ${line.text}`),
    reason,
    '1: yes, this once',
    ...always,
    'Anything else: no, and that is what the model is told.',
  ].join('\n')
  return {
    text,
    take: (line) => {
      const typed = line.trim()
      const update = suggestions[Number(typed) - 2]
      if (typed === '1' || /^y(es)?$/i.test(typed)) answer({ behavior: 'allow' })
      else if (update) answer({ behavior: 'allow', updatedPermissions: [update] })
      else if (typed === '' || /^no?$/i.test(typed)) answer({ behavior: 'deny' })
      else answer({ behavior: 'deny', message: `The user refused this call and says: ${typed}` })
      return ''
    },
  }
}

function makeSessionsQuestion({ sessions, answer }: Extract<Dialog, { kind: 'sessions' }>): Question {
  const rows = sessions.map(
    ({ changed, title, firstPrompt }, at) =>
      `${at + 1}: ${changed.toISOString().slice(0, 16)} ${foldToOneLine(title ?? firstPrompt ?? '')}`,
  )
  return {
    text: ['Resume which session? Type its number, or nothing to stay.', ...rows].join('\n'),
    take: (line) => {
      answer(sessions[Number(line.trim()) - 1]?.id ?? null)
      return ''
    },
  }
}

function makePlanQuestion({ answer }: Extract<Dialog, { kind: 'plan' }>): Question {
  const choices = APPROVALS.map(({ text }, at) => `${at + 1}: ${text}`)
  return {
    text: ['Approve this plan?', ...choices, 'Anything else: no, and that is what the model is told.'].join('\n'),
    take: (line) => {
      const chosen = APPROVALS[Number(line.trim()) - 1]
      answer(chosen === undefined ? makePlanRefusal(line) : makeApproval(chosen.mode))
      return ''
    },
  }
}

function makePermissionsQuestion({ answer }: Extract<Dialog, { kind: 'permissions' }>, host: TerminalHost): Question {
  const permissions = host.agent?.permissions
  const formatRuleList = (): string => {
    const rows = (permissions === undefined ? [] : listRules(permissions)).map(
      (each, at) => `${at + 1}: ${formatRuleLine(each)}`,
    )
    return [
      `Permissions, mode ${permissions?.mode ?? 'default'}`,
      ...(rows.length === 0 ? ['There is no rule.'] : rows),
    ].join('\n')
  }
  return {
    text: `${formatRuleList()}\n"allow RULE", "ask RULE" and "deny RULE" add a rule, "remove 2" removes one, "edit 2 RULE" replaces it; Enter closes.`,
    take: async (line) => {
      const [word = '', ...rest] = line.trim().split(/\s+/)
      if (word === '' || permissions === undefined) {
        answer(null)
        return ''
      }
      const behavior = BEHAVIORS.find((each) => each === word)
      if (behavior !== undefined) return (await addRule(permissions, { behavior, text: rest.join(' ') })).said
      const listed = listRules(permissions)[Number(rest[0]) - 1]
      if (listed === undefined) return formatRuleList()
      return word === 'remove'
        ? removeRule(permissions, listed)
        : replaceRule(permissions, listed, rest.slice(1).join(' '))
    },
  }
}

function makeRewindQuestion({ points, answer }: Extract<Dialog, { kind: 'rewind' }>): Question {
  const rows = points.map(({ text, files }, at) => {
    const changed = files.length === 0 ? '' : `  (${files.length} changed files)`
    return `${at + 1}: ${foldToOneLine(text)}${changed}`
  })
  return {
    text: [
      'Go back to before which prompt? Type its number, "files" and its number to undo changes of files too, or nothing to stay.',
      ...rows,
    ].join('\n'),
    take: (line) => {
      const [, files, number] = /^(files\s+)?(\d+)$/.exec(line.trim()) ?? []
      const point = points[Number(number) - 1]
      answer(point === undefined ? null : { point, files: files !== undefined })
      return ''
    },
  }
}

function makeFormQuestion({ question, answer }: Extract<Dialog, { kind: 'form' }>): Question {
  const fields = readFormFields(question.schema)
  const values: Record<string, string | number | boolean> = {}
  let at = 0
  const formatFormField = (): string => formatField(fields[at])
  return {
    text: `${question.server} asks: ${question.message}\n${formatFormField()}\nType decline to say no.`,
    take: (line) => {
      const field = fields[at]
      if (line.trim() === 'decline') {
        answer({ action: 'decline' })
        return ''
      }
      const read = field === undefined ? { value: null } : readField(field, line)
      if ('fault' in read) return `${read.fault} ${formatFormField()}`
      if (field !== undefined && read.value !== null) values[field.name] = read.value
      at++
      if (at < fields.length) return formatFormField()
      answer({ action: 'accept', content: values })
      return ''
    },
  }
}

function formatField(field: FormField | undefined): string {
  if (field === undefined) return 'Enter agrees.'
  const choices = field.choices.length > 0 ? ` (${field.choices.join(', ')})` : ''
  return `${field.title}${choices}:`
}
