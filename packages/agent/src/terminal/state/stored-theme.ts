import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { replaceFile } from 'hookline/internal'
import { parseTheme, type Theme } from '../text/look.ts'

const findThemeFile = (home: string): string => join(home, '.hookline', 'theme')

/** The theme that the user chose in an earlier session; null: none. */
export async function readStoredTheme(home: string): Promise<Theme | null> {
  const text = await readFile(findThemeFile(home), 'utf8').catch(() => '') // none was chosen
  return parseTheme(text.trim())
}

/** Keeps the theme for later sessions; rejects when it cannot be written. */
export async function storeTheme(home: string, theme: Theme): Promise<void> {
  await replaceFile(findThemeFile(home), `${theme}\n`, { mode: 0o600, folderMode: 0o700 })
}
