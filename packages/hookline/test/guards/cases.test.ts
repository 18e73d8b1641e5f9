import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { judge } from '../../src/guards/judge.ts'
import { smallWorld } from '../support/small-world.ts'

const world = smallWorld()
const payloads = readCases('payloads').map((line) => ({
  guard: line.split(' ')[0] ?? '',
  command: line.replace(/^\S+ /, ''),
}))
const sayings = readCases('sayings')

function readCases(name: string): string[] {
  const text = readFileSync(new URL(`cases/${name}.txt`, import.meta.url), 'utf8')
  return text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
}

function fill(saying: string, command: string): string {
  return saying.replaceAll('{q}', () => command.replaceAll("'", "'\\''")).replaceAll('{}', () => command)
}

function answer(command: string): string {
  return judge({ tool: 'Bash', input: { command } }, world).answer
}

// Nothing here is ever run: text is handed to a function, and its answer is looked at.
describe('the guards', () => {
  it.each(payloads)('stop "$command" however it is said', ({ command }) => {
    const passed = sayings.map((saying) => fill(saying, command)).filter((said) => answer(said) === 'pass')
    expect(passed).toEqual([])
  })

  it.each(payloads)('name $guard as the guard against "$command"', ({ guard, command }) => {
    const { findings } = judge({ tool: 'Bash', input: { command } }, world)
    expect(findings.map((finding) => finding.guard)).toContain(guard)
  })

  it('let everyday work pass', () => {
    const stopped = readCases('harmless').filter((command) => answer(command) !== 'pass')
    expect(stopped).toEqual([])
  })

  it('let the same words pass where they are data', () => {
    const data = payloads.flatMap(({ command }) => {
      const quoted = command.replaceAll("'", "'\\''")
      return [
        `echo '${quoted}'`,
        `grep -rn '${quoted}' src`,
        `git commit -m '${quoted}'`,
        `cat > src/x.txt <<'EOF'\n${command}\nEOF`,
        `# ${command}`,
      ]
    })
    expect(data.filter((command) => answer(command) !== 'pass')).toEqual([])
  })

  it('never allow: they refuse, ask, or have nothing to say', () => {
    const answers = new Set([...payloads.map(({ command }) => answer(command)), answer('ls'), answer('rm -rf "$X"/*')])
    expect([...answers].filter((each) => !['deny', 'ask', 'pass'].includes(each))).toEqual([])
  })

  it('tell a place and another way with every finding', () => {
    const findings = payloads.flatMap(({ command }) => judge({ tool: 'Bash', input: { command } }, world).findings)
    expect(findings.length).toBeGreaterThan(payloads.length - 1)
    expect(findings.filter(({ says, instead }) => says.length < 10 || instead.length < 10)).toEqual([])
    expect(findings.filter(({ says, instead }) => /guard allow|hookline/.test(says + instead))).toEqual([])
  })

  it.each([
    ['npm run reset', 'package.json:6'],
    ['npm run lint', 'package.json:7'],
    ['make nuke', 'Makefile:6'],
    ['just wipe', 'justfile:4'],
    ['./scripts/wipe.sh', 'scripts/wipe.sh'],
    ['python3 scripts/wipe.py', 'scripts/wipe.py'],
    ['git wipeout', '.git/config'],
  ])('say where "%s" does harm: %s', (command, at) => {
    const { answer: verdict, findings } = judge({ tool: 'Bash', input: { command } }, world)
    expect(verdict).toBe('deny')
    const about = findings[0]?.about
    const steps = about && 'from' in about && Array.isArray(about.from) ? about.from : []
    expect(steps.map((step) => step.at)).toContain(at)
  })

  /** Ways to take a command apart: lines that nobody can know here, and one command a line. */
  const LINE_BY_LINE: readonly ((command: string) => string)[] = [
    (command) => `tool | xargs ${command}`,
    (command) => `tool | while read -r f; do ${command} "$f"; done`,
    (command) => `tool | awk '{system("${command} " $1)}'`,
    (command) => `tool | awk '{c="${command} " $1; system(c)}'`,
    (command) => `awk '{system("${command} " $0)}' names.txt`,
    (command) => `tool | sed 's/^/${command} /' | sh`,
    (command) => `tool | perl -ne 'system("${command} $_")'`,
    (command) => `tool | ruby -ne 'system("${command} #{$_}")'`,
    (command) => `ruby -e 'File.readlines("names.txt").each { |l| system("${command} #{l}") }'`,
    (command) => `python3 -c "import os; [os.system('${command} ' + l) for l in open('names.txt')]"`,
    (command) => `tool | python3 -c "import os, sys; [os.system(f'${command} {l}') for l in sys.stdin]"`,
    (command) =>
      `node -e "for (const l of require('fs').readFileSync('names.txt','utf8').split('\\n')) require('child_process').execSync('${command} ' + l)"`,
    (command) => `php -r 'foreach (file("names.txt") as $l) system("${command} $l");'`,
    (command) => `lua -e 'for l in io.lines("names.txt") do os.execute("${command} " .. l) end'`,
  ]

  it('ask about the deletion of what cannot be known, in whatever language it is said line by line', () => {
    const ways = LINE_BY_LINE.map((say) => say('rm -rf'))
    expect(ways.filter((way) => answer(way) === 'pass')).toEqual([])
  })

  it('let harmless commands pass that are said line by line', () => {
    const ways = LINE_BY_LINE.map((say) => say('git add')).filter((way) => !/\| (?:sh|xargs)/.test(way))
    expect(ways.filter((way) => answer(way) !== 'pass')).toEqual([])
  })

  it.each([
    ["printf 'notes\\n' | sed 's/^/rm -rf ~\\//' | sh", 'deny'],
    ["printf 'notes\\n' | sed 's/.*/rm -rf ~\\/&/' | sh", 'deny'],
    ["printf 'dist\\n' | sed 's/^/rm -rf /' | sh", 'pass'],
    ["printf 'a.txt\\n' | sed 's/\\(.*\\)/rm -rf ~\\/\\1/' | sh", 'ask'],
  ])('read what sed makes of known lines: %s', (command, verdict) => {
    expect(answer(command)).toBe(verdict)
  })

  it('turn questions into refusals where nobody is asked', () => {
    const call = { tool: 'Bash', input: { command: 'rm -rf "$BUILD"/*' } }
    expect(judge(call, world).answer).toBe('ask')
    expect(judge(call, world, { nobodyAsked: true }).answer).toBe('deny')
  })

  it('let an exception pass what it is about, and never the home itself', () => {
    const allow = [{ guard: 'delete' as const, matches: () => true, reason: 'experiments' }]
    const documents = judge({ tool: 'Bash', input: { command: 'rm -rf ~/Documents' } }, world, { allow })
    expect(documents.answer).toBe('pass')
    expect(documents.excused).toHaveLength(1)
    expect(judge({ tool: 'Bash', input: { command: 'rm -rf ~' } }, world, { allow }).answer).toBe('deny')
  })
})
