import * as fs from './fs.ts'
import { FileError, listNames, makeEntry } from './memory-files.ts'

const refuse =
  (name: string) =>
  async (path: unknown): Promise<never> => {
    throw new FileError('EROFS', `${name} ${String(path)}`)
  }

export const stat = async (path: string) => fs.statSync(path)
export const lstat = async (path: string) => fs.lstatSync(path)
export const access = async (path: string): Promise<void> => fs.accessSync(path)
export const realpath = async (path: string): Promise<string> => fs.realpathSync(path)
export const readFile = async (path: string): Promise<string> => fs.readFileSync(path)
export const readdir = async (path: string, options?: { withFileTypes?: boolean }) => fs.readdirSync(path, options)
export const open = async (path: string): Promise<never> => {
  fs.statSync(path)
  throw new FileError('EROFS', path)
}
export const opendir = async (path: string) => {
  const names = listNames(path)
  return (async function* () {
    for (const name of names) yield makeEntry(path, name)
  })()
}
export const mkdir = refuse('mkdir')
export const link = refuse('link')
export const rm = refuse('rm')
export const rename = refuse('rename')
export const writeFile = refuse('write')
