import type { SourceNode } from '../../config/source.ts'
import { listFieldsInFiles } from '../../protocol/hook-fields.ts'
import { redactAddress } from '../../text/address.ts'
import { findAddressFault, findHeaderFault, matchesAddress } from '../../text/http.ts'
import type { ExaminedHook, Remark, Rule } from '../rule.ts'
import type { HookEntry } from '../subject.ts'
import { makeAskingExample } from './example.ts'

/** Rules about hooks that are servers. */
export const addressRules: readonly Rule[] = [
  {
    id: 'V-HK-35',
    name: 'invalid-address',
    severity: 'error',
    page: {
      title: 'An http hook has a usable address',
      why: 'Nothing is sent to what is not an http or https address, to one with credentials in it, or with a header that HTTP cannot carry: the hook fails each time, and decides nothing. A secret belongs in a variable: name it in "allowedEnvVars", and in a header as $NAME.',
      profile: 'current',
      bad: makeAskingExample('http://me:secret@127.0.0.1:8080/hook'),
      good: makeAskingExample('http://127.0.0.1:8080/hook'),
    },
    find: ({ entry }) => [...remarkOnAddresses(entry), ...remarkOnHeaders(entry)],
  },
  {
    id: 'V-HK-36',
    name: 'address-not-allowed',
    severity: 'warning',
    page: {
      title: 'An http hook stays within "allowedHttpHookUrls"',
      why: 'Where a settings file has this list, nothing is sent to another address. A star stands for anything; what managed settings do not allow, no other file can. The hook fails each time, and decides nothing.',
      profile: 'current',
      bad: makeAskingExample('http://127.0.0.1:8080/hook', { allowedHttpHookUrls: ['http://127.0.0.1:9090/*'] }),
      good: makeAskingExample('http://127.0.0.1:9090/hook', { allowedHttpHookUrls: ['http://127.0.0.1:9090/*'] }),
    },
    find: remarkOnForbiddenAddresses,
  },
]

/** The fields of a hook that are addresses, with where they stand. */
function listAddresses({ node, hook, profile }: HookEntry): { readonly text: string; readonly node: SourceNode }[] {
  const { fields = {} } = profile.hookTypes[hook.written.type ?? ''] ?? {}
  return [...(node.fields ?? [])].flatMap(([name, { node: written }]) =>
    fields[name]?.isAddress && typeof written.value === 'string' ? [{ text: written.value, node: written }] : [],
  )
}

function remarkOnAddresses(entry: HookEntry): Remark[] {
  return listAddresses(entry).flatMap(({ text, node }) => {
    const fault = text.trim() === '' ? null : findAddressFault(text) // one that is empty is told with the hook itself
    return fault === null ? [] : [{ place: node, message: `Nothing is sent: ${fault}.` }]
  })
}

function remarkOnHeaders({ node, profile }: HookEntry): Remark[] {
  const fields = listFieldsInFiles(profile.hookTypes)
  const headers = [...(node.fields ?? [])].flatMap(([name, { node: written }]) =>
    fields.get(name)?.isHeaders ? [...(written.fields ?? [])] : [],
  )
  return headers.flatMap(([name, { key, node: value }]) => {
    const fault = typeof value.value === 'string' ? findHeaderFault(name, value.value) : null
    return fault === null ? [] : [{ place: key, message: `Nothing is sent: ${fault}.` }]
  })
}

function remarkOnForbiddenAddresses({ entry, allowedAddresses }: ExaminedHook): Remark[] {
  return listAddresses(entry).flatMap(({ text, node }) => {
    if (findAddressFault(text) !== null) return []
    const url = new URL(text)
    if (allowedAddresses.every((list) => list.some((pattern) => matchesAddress(pattern, url)))) return []
    const message = `allowedHttpHookUrls does not allow ${redactAddress(text)}: nothing is sent there.`
    return [{ place: node, message }]
  })
}
