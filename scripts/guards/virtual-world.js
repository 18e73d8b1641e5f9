import { posix } from 'node:path'

/**
 * A disk made of names and texts, as `guards/world.json` writes one. Nothing of it exists.
 *
 * @param {{ git?: { at?: string, branch?: string, aliases?: Record<string, string> }, links?: Record<string, string>, files?: Record<string, string> }} written
 * @returns {import('../../packages/hookline/src/effects/world.ts').World & { fill: (text: string) => string }}
 */
export function buildVirtualWorld(written, { home = '/home/dev', user = 'dev' } = {}) {
  const project = posix.join(home, written.git?.at ?? 'project')
  /** @param {string} text */
  const fill = (text) => text.replaceAll('{home}', home).replaceAll('{project}', project)
  /** @type {Map<string, string>} */
  const files = new Map()
  const links = new Map(
    Object.entries(written.links ?? {}).map(([path, target]) => [posix.join(home, path), fill(target)]),
  )
  for (const [path, text] of Object.entries(written.files ?? {})) files.set(posix.join(home, path), text)
  const aliases = Object.entries(written.git?.aliases ?? {}).map(([name, value]) => `\t${name} = ${value}\n`)
  files.set(posix.join(project, '.git/HEAD'), `ref: refs/heads/${written.git?.branch ?? 'main'}\n`)
  files.set(posix.join(project, '.git/config'), `[core]\n\tbare = false\n[alias]\n${aliases.join('')}`)
  for (const name of ['index', 'objects/x', 'hooks/x.sample', 'refs/heads/main'])
    files.set(posix.join(project, '.git', name), '')
  for (const path of [
    '/etc/hosts',
    '/etc/passwd',
    '/etc/shadow',
    '/usr/bin/git',
    '/usr/lib/x',
    '/bin/sh',
    '/var/log/x',
    '/var/lib/x',
    '/tmp/x',
    '/opt/x',
    '/root/x',
    '/boot/x',
  ])
    files.set(path, '')
  /** @type {Map<string, Set<string>>} */
  const folders = new Map()
  /** @param {string} path */
  const addName = (path) => {
    for (let at = path; at !== '/'; at = posix.dirname(at)) {
      const folder = posix.dirname(at)
      folders.set(folder, (folders.get(folder) ?? new Set()).add(posix.basename(at)))
    }
  }
  for (const path of [...files.keys(), ...links.keys()]) addName(path)
  /** @param {string} path */
  const findKind = (path) => {
    if (links.has(path)) return 'link'
    if (files.has(path)) return 'file'
    return folders.has(path) ? 'folder' : null
  }
  return {
    home,
    user,
    folder: project,
    project,
    temp: ['/tmp', '/var/tmp', '/private/tmp'],
    findKind,
    readLink: (path) => links.get(path) ?? null,
    readFile: (path) => files.get(path) ?? null,
    list: (path) => (folders.has(path) ? [...(folders.get(path) ?? [])] : null),
    fill,
  }
}
