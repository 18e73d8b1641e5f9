export type { FileScope } from '../protocol/scope.ts'
export { SETTING_KEYS, type SettingKey } from '../protocol/setting-keys.ts'
export type { Component } from './component.ts'
export { type Configuration, readSettings, type SettingsFolders } from './configuration.ts'
export { editSettings, type SettingsChange, type SettingsEdit } from './edit-settings.ts'
export { type Ask, type AskText, askText } from './folder-request.ts'
export { type Frontmatter, parseFrontmatter } from './frontmatter.ts'
export type { FunctionModule } from './modules.ts'
export { type Plugin, readPlugin } from './plugins.ts'
export type { Problem } from './problem.ts'
export { defaultManagedFile, type WritableScope } from './scopes.ts'
export { serversIn } from './servers.ts'
export { readSettingsFile, type SettingsFile, type SettingsPlace, settingsPlace } from './settings-file.ts'
export {
  type HookPlace,
  type MemberChange,
  type NewHook,
  withHook,
  withMember,
  withoutHook,
} from './settings-text.ts'
export type { SourceField, SourceNode } from './source.ts'
