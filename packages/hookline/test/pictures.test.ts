import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = join(import.meta.dirname, '../../../docs/screens')
const pictures = readdirSync(FOLDER).filter((name) => name.endsWith('.svg'))

it.each(pictures)('%s has no spaces that a browser would fold, and stretch the rest of the line for', (name) => {
  const texts = [...readFileSync(join(FOLDER, name), 'utf8').matchAll(/<text [^>]*>([^<]*)<\/text>/g)]
  expect(texts.length).toBeGreaterThan(5)
  expect(texts.flatMap(([, text = '']) => (text.includes(' ') ? [text] : []))).toEqual([])
})
