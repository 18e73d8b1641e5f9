import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** The framework of an adapter, and the versions that it was tried with: `from` on, `below` not any more. */
interface Framework {
  readonly name: string
  readonly from: string
  readonly below: string
}

/** By the door of the adapter. */
export const FRAMEWORKS = {
  'ai-sdk': { name: 'ai', from: '6.0.0', below: '8.0.0' },
  'claude-agent-sdk': { name: '@anthropic-ai/claude-agent-sdk', from: '0.3.0', below: '1.0.0' },
  langchain: { name: 'langchain', from: '1.0.0', below: '2.0.0' },
  mastra: { name: '@mastra/core', from: '1.9.0', below: '2.0.0' },
  'openai-agents': { name: '@openai/agents', from: '0.20.0', below: '1.0.0' },
  pi: { name: '@earendil-works/pi-agent-core', from: '0.87.0', below: '1.0.0' },
} satisfies Readonly<Record<string, Framework>>

/**
 * Throws where a version of the framework is installed that the adapter was not made for: another one may ask hooks too late, or
 * not at all. In a bundle, which has no packages beside it, the version is not known and nothing is thrown.
 */
export function assertFramework(door: keyof typeof FRAMEWORKS, installed = findInstalledVersion): void {
  const { name, from, below } = FRAMEWORKS[door]
  const version = installed(name)
  if (version === null || (!isOlder(version, from) && isOlder(version, below))) return
  throw new Error(
    `hookline/${door} works with ${name} from ${from} to below ${below}; ${version} is installed. Install such a version, or make the calls through guardCall of hookline/tools.`,
  )
}

/** True if the framework is installed in this version or a later one; false in a bundle, where the version is not known. */
export function hasFrameworkFrom(door: keyof typeof FRAMEWORKS, from: string): boolean {
  const version = findInstalledVersion(FRAMEWORKS[door].name)
  return version !== null && !isOlder(version, from)
}

/** The version of a package as it is found from this one; null: it is not there. */
function findInstalledVersion(name: string): string | null {
  for (const folder of listPackageFolders(name)) {
    try {
      const { version } = JSON.parse(readFileSync(join(folder, name, 'package.json'), 'utf8'))
      return typeof version === 'string' ? version : null
    } catch {} // the package is not in this folder
  }
  return null
}

function listPackageFolders(name: string): readonly string[] {
  try {
    return createRequire(import.meta.url).resolve.paths(name) ?? []
  } catch {
    return [] // a bundle in CommonJS does not know where it is
  }
}

/** Compares major, minor and patch; a pre-release counts as its release. */
function isOlder(version: string, other: string): boolean {
  const [these, those] = [version, other].map((text) => text.split(/[.+-]/).slice(0, 3).map(Number))
  const place = these?.findIndex((number, index) => number !== those?.[index]) ?? -1
  return place >= 0 && (these?.[place] ?? 0) < (those?.[place] ?? 0)
}
