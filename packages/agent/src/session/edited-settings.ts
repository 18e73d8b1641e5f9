import { dirname, join } from 'node:path'
import { isBelow, listNames, makeProjectEnclosure, readText, resolveLinks } from 'hookline/internal'
import { fire } from '../hooks/fire.ts'
import { type ComponentPlaces, listComponentFolders } from '../skills/component.ts'
import type { Loop } from '../turn/loop-state.ts'
import { type FileChange, FileWatcher } from './file-watcher.ts'

/** The `source` of ConfigChange, by the scope of the file. */
const SOURCE_BY_SCOPE: Readonly<Record<string, string>> = {
  user: 'user_settings',
  project: 'project_settings',
  local: 'local_settings',
  managed: 'policy_settings',
}

/** Tells ConfigChange hooks of settings files and skills that were edited on disk; close it. */
export class EditedSettings {
  readonly #loop: Loop
  readonly #places: ComponentPlaces
  readonly #watcher: FileWatcher
  #telling: Promise<void> = Promise.resolve()

  constructor(loop: Loop, places: ComponentPlaces) {
    this.#loop = loop
    this.#places = places
    this.#watcher = new FileWatcher(
      {
        list: () =>
          [...this.#listSettings().keys(), ...this.#listSkillFiles()].filter((path) => this.#isInsideProject(path)),
        folders: () => this.#listSkillFolders().filter((path) => this.#isInsideProject(join(path, 'SKILL.md'))),
        follows: (path) => !isBelow(path, places.project),
      },
      (changes) => loop.session.inBackground(this.#tell(changes)),
    )
  }

  /** Tells of edits that the system has not reported yet. */
  look(): Promise<void> {
    return this.#tell(this.#watcher.take())
  }

  close(): void {
    this.#watcher.close()
  }

  /** Settings files with the scope of each. */
  #listSettings(): Map<string, string> {
    const { files } = this.#loop.session.engine.configuration
    return new Map(files.filter(({ scope }) => scope in SOURCE_BY_SCOPE).map(({ path, scope }) => [path, scope]))
  }

  /** True for what stays inside the project: the rest is never read, so its changes do not matter. */
  #isInsideProject(path: string): boolean {
    const { project } = this.#places
    return !isBelow(path, project) || isBelow(resolveLinks(dirname(path)), resolveLinks(project))
  }

  #listSkillFolders(): string[] {
    return listComponentFolders(this.#places, 'skills').map(({ root }) => root)
  }

  /** The files of skills, also of those that are only about to be written. */
  #listSkillFiles(): string[] {
    return this.#listSkillFolders().flatMap((root) => listNames(root).map((name) => join(root, name, 'SKILL.md')))
  }

  /** One after the other, in the order of the edits. */
  #tell(changes: readonly FileChange[]): Promise<void> {
    this.#telling = this.#telling.then(() => this.#tellEach(changes))
    return this.#telling
  }

  async #tellEach(changes: readonly FileChange[]): Promise<void> {
    const { closing, asked } = this.#loop.session
    let skillsChanged = false
    for (const { path } of changes) {
      if (closing.aborted) return
      const scope = this.#listSettings().get(path)
      if (scope !== undefined && (await this.#isKnown(path))) continue
      const fields = { source: scope === undefined ? 'skills' : SOURCE_BY_SCOPE[scope], file_path: path }
      const { decision } = await fire(this.#loop, 'ConfigChange', fields, { signal: closing })
      if (scope === undefined && !decision.blocked) skillsChanged = true
    }
    if (skillsChanged) await asked.reloadSkills()
  }

  /** True if a file says what the session runs on already, as when the user granted something. */
  async #isKnown(path: string): Promise<boolean> {
    const { project } = this.#places
    const read = this.#loop.session.engine.configuration.files.find((file) => file.path === path)?.content
    const now = await readText(path, { inside: isBelow(path, project) ? makeProjectEnclosure(project) : null })
    return read?.read === 'text' ? now.read === 'text' && now.text === read.text : read?.read === now.read
  }
}
