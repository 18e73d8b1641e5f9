import { posix } from 'node:path'
import type { World } from '../../src/effects/world.ts'

const FILES: Readonly<Record<string, string>> = {
  '.bashrc': '',
  '.netrc': 'machine example.com login dev password made-up\n',
  '.ssh/id_ed25519': 'made up\n',
  '.ssh/id_ed25519.pub': 'made up\n',
  '.aws/credentials': 'made up\n',
  '.nvm/nvm.sh': '',
  'Documents/notes.txt': 'years of notes\n',
  'other-project/package.json': '{}',
  'shop/.git/HEAD': 'ref: refs/heads/feature/login\n',
  'shop/.git/config': '[alias]\n\twipeout = !rm -rf ~/Documents\n\tst = status\n',
  'shop/.gitignore': 'dist\n.env\n',
  'shop/.env': 'KEY=made-up\n',
  'shop/.env.example': 'KEY=\n',
  'shop/.claude/settings.json': '{}',
  'shop/package.json':
    '{\n  "scripts": {\n    "build": "tsc -p .",\n    "test": "vitest run",\n    "clean": "rm -rf dist coverage",\n    "reset": "rm -rf ~/Documents",\n    "postlint": "rm -rf ../other-project",\n    "lint": "eslint ."\n  }\n}\n',
  'shop/Makefile': 'build:\n\tnpm run build\nclean:\n\trm -rf dist\nnuke: clean\n\trm -rf $(HOME)/Documents\n',
  'shop/justfile': 'test:\n  npm test\nwipe:\n  rm -rf ~/Documents\n',
  'shop/scripts/build.sh': '#!/bin/sh\nrm -rf dist\nnpm run build\n',
  'shop/scripts/lint.sh': '#!/bin/sh\neslint .\n',
  'shop/scripts/wipe.sh': '#!/bin/sh\ncd "$HOME"\nrm -rf Documents\n',
  'shop/scripts/wipe.py': "import os, shutil\nshutil.rmtree(os.path.expanduser('~/Documents'))\n",
  'shop/scripts/drop.sql': 'DROP TABLE users;\n',
  'shop/src/index.ts': '',
  'shop/src/old.ts': '',
  'shop/list.txt': 'a\nb\n',
  'shop/index.js': "console.log('hi')\n",
  'shop/script.py': "print('hi')\n",
  'shop/packages/core/dist/index.js': '',
  'shop/data/shop.db': '',
}

/** A disk of a few files in memory: a home with a project in it, and things beside it. */
export function smallWorld(more: Readonly<Record<string, string>> = {}): World {
  const home = '/home/dev'
  const files = new Map(Object.entries({ ...FILES, ...more }).map(([path, text]) => [posix.join(home, path), text]))
  for (const path of ['/etc/hosts', '/usr/bin/git', '/bin/sh', '/var/log/x', '/tmp/x']) files.set(path, '')
  const links = new Map([
    [`${home}/shop/docs-link`, `${home}/Documents`],
    [`${home}/shop/key-link`, `${home}/.ssh/id_ed25519`],
  ])
  const folders = new Map<string, Set<string>>()
  for (const path of [...files.keys(), ...links.keys()])
    for (let at = path; at !== '/'; at = posix.dirname(at)) {
      const names = folders.get(posix.dirname(at)) ?? new Set()
      folders.set(posix.dirname(at), names.add(posix.basename(at)))
    }
  return {
    home,
    user: 'dev',
    folder: `${home}/shop`,
    project: `${home}/shop`,
    temp: ['/tmp', '/var/tmp'],
    findKind(path) {
      if (links.has(path)) return 'link'
      if (files.has(path)) return 'file'
      return folders.has(path) ? 'folder' : null
    },
    readLink: (path) => links.get(path) ?? null,
    readFile: (path) => files.get(path) ?? null,
    list: (path) => [...(folders.get(path) ?? [])],
  }
}
