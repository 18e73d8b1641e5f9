export type { FileScope } from '../protocol/scope.ts'
export { SETTING_KEYS, type SettingKey } from '../protocol/setting-keys.ts'
export type { Component } from './component.ts'
export { type Configuration, readSettings, type SettingsFolders } from './configuration.ts'
export { editSettings, type SettingsChange, type SettingsEdit } from './edit-settings.ts'
export { type Ask, type AskText, formatAsk } from './folder-request.ts'
export { type Frontmatter, parseFrontmatter } from './frontmatter.ts'
export type { FunctionModule } from './modules.ts'
export { type Plugin, readPlugin } from './plugins.ts'
export type { Problem } from './problem.ts'
export { findDefaultManagedFile, type WritableScope } from './scopes.ts'
export { findServersNode } from './servers.ts'
export { findSettingsPlace, readSettingsFile, type SettingsFile, type SettingsPlace } from './settings-file.ts'
export {
  addHookText,
  changeMember,
  type HookPlace,
  type MemberChange,
  type NewHook,
  removeHookText,
} from './settings-text.ts'
export type { SourceField, SourceNode } from './source.ts'
