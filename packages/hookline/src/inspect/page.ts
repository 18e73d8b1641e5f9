import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** The page as it is sent, and the policy that lets its script and style run, and nothing else. */
export interface Page {
  readonly html: string
  readonly policy: string
}

/** Reads the page that the build made: a script and a style, which become parts of one document. */
export async function loadPage(folder: URL, options: PageOptions = {}): Promise<Page> {
  const [script, style] = await Promise.all(
    ['inspector.js', 'inspector.css'].map((name) => readFile(new URL(name, folder), 'utf8')),
  )
  return makePage(script ?? '', style ?? '', options)
}

/** Place of the page. */
interface PageOptions {
  /** Path below which the page and its questions are, such as `/page`; empty for the root of its host. */
  readonly base?: string
}

/** Makes the page of its script and style. */
export function makePage(script: string, style: string, { base = '' }: PageOptions = {}): Page {
  if (!/^(?:\/[\w-]+)*$/.test(base)) throw new TypeError('the base of a page is a path')
  const code = script.replaceAll('</script', '<\\/script')
  return {
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="hookline-base" content="${base}">
<title>Hookline inspector</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<noscript>The inspector needs JavaScript. The same is printed by hookline log, stats and list.</noscript>
<script type="module">${code}</script>
</body>
</html>
`,
    policy: [
      `default-src 'none'`,
      `script-src ${hashSource(code)}`,
      `style-src ${hashSource(style)}`,
      `connect-src 'self'`,
      `base-uri 'none'`,
      `form-action 'none'`,
      `frame-ancestors 'none'`,
      `require-trusted-types-for 'script'`,
      `trusted-types 'none'`,
    ].join('; '),
  }
}

const hashSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** A page that says one sentence: for those who are refused. */
export function makePlainPage(sentence: string): string {
  const text = sentence.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Hookline inspector</title><h1>Hookline inspector</h1><p>${text}</p></html>\n`
}
