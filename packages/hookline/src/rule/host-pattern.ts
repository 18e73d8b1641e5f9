import { isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { ANY, makeExactTest, matchesSteps, type WildcardStep } from './wildcard.ts'

/** Host that `WebFetch(domain:…)` names: the labels of a host, in which `*` stands for any part of one; an address is written as browsers do. */
export type HostPattern = readonly string[]

/** Reads a host; null when it is none. */
export function parseHostPattern(text: string): HostPattern | null {
  const written = text.toLowerCase().replace(/(?<!\.)\.+$/, '')
  if (written === '' || /[\s/@?#\\%]/.test(written)) return null
  if (!written.includes('*')) return parseHost(isIPv6(written) ? `[${written}]` : written)
  return /^[^:[\]]+$/.test(written) ? written.split('.').map(toAsciiLabel) : null
}

function parseHost(host: string): HostPattern | null {
  if (/:/.test(host.replace(/^\[.*\]$/, ''))) return null
  return URL.canParse(`http://${host}`) ? splitLabels(new URL(`http://${host}`)) : null
}

function toAsciiLabel(label: string): string {
  return /^[\w*-]*$/.test(label) ? label : domainToASCII(label) || label
}

/** True if a pattern surely covers an address: its very host. */
export function isHostCovered(pattern: HostPattern, url: URL): boolean {
  return /^https?:$/.test(url.protocol) && matchesLabels(pattern, splitLabels(url))
}

/** True if a pattern means an address: its host by any other spelling too, and the domains that it belongs to. */
export function isHostTouched(pattern: HostPattern, url: URL): boolean {
  return listHostNames(splitLabels(url)).some((labels) =>
    labels.some((_, start) => matchesLabels(pattern, labels.slice(start))),
  )
}

/** Names of the machine itself: who means one of them means all. */
const OWN_NAMES = [['localhost'], ['127', '0', '0', '1'], ['::1'], ['0', '0', '0', '0'], ['::']]

/** A host by all its names: an IPv4 address may be written as one of IPv6, and the machine itself has many. */
function listHostNames(labels: readonly string[]): (readonly string[])[] {
  const [first = ''] = labels
  const embedded = labels.length === 1 ? readEmbeddedAddress(first) : null
  const names = embedded === null ? [labels] : [labels, embedded]
  return names.some(isOwn) ? [...names, ...OWN_NAMES] : names
}

function isOwn(labels: readonly string[]): boolean {
  const host = labels.join('.')
  return (
    /^(?:127|0)\.\d+\.\d+\.\d+$/.test(host) ||
    /^(?:.*\.)?localhost(?:\.localdomain|[46])?$|^(?:ip6-)?(?:localhost|loopback)$/.test(host) ||
    host === '::1' ||
    host === '::'
  )
}

/** The IPv4 address in one of IPv6: mapped, compatible, translated or behind 6to4. */
function readEmbeddedAddress(host: string): string[] | null {
  const [, high, low] = /^(?:::(?:ffff:(?:0:)?)?|64:ff9b::)([\da-f]{1,4}):([\da-f]{1,4})$/.exec(host) ?? []
  const [, sixHigh, sixLow] = /^2002:([\da-f]{1,4}):([\da-f]{1,4})(?::|$)/.exec(host) ?? []
  const [first, second] = [high ?? sixHigh, low ?? sixLow]
  if (first === undefined || second === undefined) return null
  return [first, second].flatMap((part) => {
    const value = Number.parseInt(part, 16)
    return [String(value >> 8), String(value & 0xff)]
  })
}

/** The labels of a host; an address of IPv6 is one, without its brackets. */
function splitLabels({ hostname }: URL): string[] {
  const host = hostname.toLowerCase().replace(/(?<!\.)\.+$/, '')
  return host.startsWith('[') ? [host.slice(1, -1)] : host.split('.')
}

function matchesLabels(expected: HostPattern, labels: readonly string[]): boolean {
  return (
    expected.length === labels.length &&
    expected.every((label, index) => matchesSteps([...label].map(makeLabelStep), [...(labels[index] ?? '')]))
  )
}

function makeLabelStep(character: string): WildcardStep<string> {
  return character === '*' ? ANY : makeExactTest(character)
}
