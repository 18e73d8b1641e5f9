import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const packageFolder = fileURLToPath(new URL('..', import.meta.url))
const source = join(packageFolder, 'src')
const { dependencies, devDependencies } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'))
const { exports: doors } = JSON.parse(readFileSync(join(packageFolder, '../hookline/package.json'), 'utf8'))

const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name))
const texts = new Map(files.map((file) => [file, readFileSync(join(source, file), 'utf8')]))
const imports = [...texts].flatMap(([file, text]) =>
  [...text.matchAll(/^(?:import|export)\b[^'"]*?from '([^']+)'|import\('([^']+)'\)/gm)].map(([, from, late]) => ({
    file,
    target: from ?? late ?? '',
  })),
)

const having = (part: string): string[] => [...texts].filter(([, text]) => text.includes(part)).map(([file]) => file)

describe('the agent', () => {
  it('is looked at', () => {
    expect(files.length).toBeGreaterThan(60)
    expect(imports.length).toBeGreaterThan(250)
  })

  it('comes to the engine through its doors, and reads no hook itself', () => {
    const wanted = imports.map(({ target }) => target).filter((target) => /^hookline\b|\/hookline\//.test(target))
    const open = Object.keys(doors).map((door) => door.replace(/^\./, 'hookline'))
    expect(wanted.length).toBeGreaterThan(5)
    expect(wanted.filter((target) => !open.includes(target))).toEqual([])
    expect(wanted).not.toContain('hookline/testing')
  })

  it('uses only packages that its own package.json names', () => {
    const named = Object.keys({ ...dependencies, ...devDependencies })
    const foreign = imports
      .filter(({ target }) => !target.startsWith('.') && !target.startsWith('node:'))
      .filter(({ target }) => !named.some((name) => target === name || target.startsWith(`${name}/`)))
    expect(foreign).toEqual([])
  })

  it('starts processes through the engine, so that each of them ends; servers that it talks to are the exception', () => {
    const starting = imports.filter(({ target }) => /^(node:)?child_process$/.test(target)).map(({ file }) => file)
    expect(starting.filter((file) => file !== join('mcp', 'stdio-transport.ts'))).toEqual([])
  })

  it('ends its own process in main.ts, if at all', () => {
    expect(having('process.exit(').filter((file) => file !== join('cli', 'main.ts'))).toEqual([])
  })

  it('draws and prints through one function each, past which no text of a stranger comes as it is', () => {
    const drawing = [...texts].filter(([, text]) => /import \{[^}]*\bText\b[^}]*\} from 'ink'/.test(text))
    expect(drawing.map(([file]) => file)).toEqual([join('terminal', 'views', 'text.tsx')])
    const printing = [...having('process.stdout.write'), ...having('process.stderr.write')]
    const own = ['cli/main.ts', 'cli/output.ts', 'terminal/plain/show.ts'].map((file) => join(file))
    expect(printing.filter((file) => !own.includes(file))).toEqual([])
  })

  it('makes every call of a tool in one place', () => {
    const running = having('tool.run(').filter((file) => !file.startsWith('tools'))
    expect(running).toEqual([join('call', 'tool-call.ts')])
  })

  it('is open to the world through named exports alone', () => {
    expect(files.filter((file) => file.endsWith('index.ts'))).toEqual(['index.ts'])
    expect([...texts.values()].filter((text) => /^export (\*|default)/m.test(text))).toEqual([])
  })
})
