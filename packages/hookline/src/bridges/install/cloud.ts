import { join } from 'node:path'
import { readText } from '../../files/read.ts'
import { VERSION } from '../../text/version.ts'
import type { HostEdit } from './install.ts'

/** File in which GitHub looks for what Copilot's cloud agent needs on its machine. */
export const CLOUD_SETUP = '.github/workflows/copilot-setup-steps.yml'

/** Name that `npm pack` gives this package. The user adds it to the repository: the cloud agent's machine installs it from there. */
export const PACKED = `hookline-${VERSION}.tgz`

const OWN_FILE_MARK = '# hookline: "hookline bridge uninstall copilot --for cloud" removes this file'

const SETUP = `${OWN_FILE_MARK}
name: Copilot Setup Steps
on: workflow_dispatch
jobs:
  copilot-setup-steps:
    runs-on: ubuntu-latest
    permissions:
      contents: read
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      # hookline is not in the npm registry: this file is part of your repository
      - run: npm install --global ./${PACKED}
`

/** The file that installs Hookline where the cloud agent runs; null: there is one that is not ours, which stays as it is. */
export async function makeCloudSetup(project: string, doing: 'install' | 'uninstall'): Promise<HostEdit | null> {
  const file = join(project, CLOUD_SETUP)
  const content = await readText(file)
  if (content.read === 'unreadable') return null
  const before = content.read === 'missing' ? null : content.text
  if (before !== null && !before.startsWith(OWN_FILE_MARK)) return null
  return { file, before, after: doing === 'install' ? SETUP : null }
}

/** True if the cloud agent's machine gets Hookline, as far as its file says. */
export async function isInstalledInCloud(project: string): Promise<boolean> {
  const content = await readText(join(project, CLOUD_SETUP))
  return content.read === 'text' && /\bhookline\b/.test(content.text)
}
