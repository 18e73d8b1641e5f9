#!/usr/bin/env node
// PreToolUse on Read, Write and Edit: refuses files that are none of the agent's business, and texts that hold a secret.
// Exit code 2 refuses the call and stderr is the reason, for the model to read. Whatever goes wrong in here refuses
// as well: a guard that crashes with another code is an open door.

import { lstatSync, realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { text } from 'node:stream/consumers'

const closedFolders = ['.git', '.ssh']

const closedFiles = [
  { what: 'an environment file', name: /^\.env(?!\.(?:example|sample|template|dist)$)(?:\..*)?$/ },
  { what: 'a private key', name: /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$|\.(?:pem|key|p12|pfx|ppk)$/ },
]

const secrets = [
  { what: 'an AWS access key id', shape: /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/ },
  { what: 'a private key', shape: /-----BEGIN (?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY(?: BLOCK)?-----/ },
  { what: 'a GitHub token', shape: /\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{22})/ },
  { what: 'a GitLab token', shape: /\bglpat-[A-Za-z0-9_-]{20}/ },
  { what: 'an npm token', shape: /\bnpm_[A-Za-z0-9]{36}\b/ },
  { what: 'a Slack token', shape: /\bxox[abeoprs]-[A-Za-z0-9-]{10}/ },
  { what: 'a Google API key', shape: /\bAIza[A-Za-z0-9_-]{35}/ },
  { what: 'an API key', shape: /\bsk(?:-(?:ant|proj|or)-[A-Za-z0-9_-]{20}|-[A-Za-z0-9]{32}|_live_[A-Za-z0-9]{16})/ },
  { what: 'a signed token', shape: /\beyJ[A-Za-z0-9_-]{10,1000}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10}/ },
]

try {
  const input = JSON.parse(await text(process.stdin))
  const reason = closedPath(input) ?? secretIn(input.tool_input)
  if (reason) refuse(reason)
} catch (error) {
  refuse(`the guard cannot judge this call: ${error.message}`)
}

function refuse(reason) {
  console.error(`Refused: ${reason}`)
  process.exitCode = 2
}

/** Why the path of the call is closed, or undefined. Looks at the path as written and at the file it really leads to. */
function closedPath(input) {
  const written = input.tool_input.file_path
  if (typeof written !== 'string' || written === '') return 'the call names no file_path'
  if (written.split(/[\\/]/).includes('..')) return `${written} climbs with "..": write the path without it`
  if (written.startsWith('~')) return `${written} starts with "~": write the path in full`

  const project = process.env.CLAUDE_PROJECT_DIR ?? input.cwd
  const path = resolve(input.cwd ?? project, written)
  const way = relative(realpathSync(project), realPath(path))
  if (way.split(sep)[0] === '..' || isAbsolute(way)) return `${written} lies outside the project`
  return closedName(written, relative(project, path)) ?? closedName(written, way)
}

/** The path without symbolic links, also when its last parts do not exist yet. Throws on a link that leads nowhere. */
function realPath(path) {
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined
  return isThere ? realpathSync.native(path) : join(realPath(dirname(path)), basename(path))
}

function closedName(written, way) {
  const names = way.toLowerCase().split(sep)
  const folder = closedFolders.find((name) => names.includes(name))
  if (folder) return `${written} belongs to ${folder}/`
  const file = closedFiles.find(({ name }) => name.test(names.at(-1)))
  return file && `${written} is ${file.what}`
}

/** Which kind of secret the new text holds, and on which line. Never says the secret itself. */
function secretIn({ content = '', new_string = '' }) {
  for (const added of [content, new_string]) {
    if (typeof added !== 'string') return 'the text to write is no text'
    const secret = secrets.find(({ shape }) => shape.test(added))
    if (!secret) continue
    const line = added.slice(0, added.search(secret.shape)).split('\n').length
    return `the text holds what looks like ${secret.what} (line ${line}): read it from the environment instead`
  }
  return undefined
}
