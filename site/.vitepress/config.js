/** The pages of the repository as a website: the same files, at the same paths, with the same links as on GitHub. */
import { readFileSync } from 'node:fs'
import { defineConfig } from 'vitepress'

export default defineConfig({
  srcDir: './pages', // copies, by scripts/docs.js
  outDir: './dist',
  cacheDir: './.vitepress/cache',
  title: 'Hookline',
  description: 'The open hooks engine for coding agents',
  lang: 'en',
  cleanUrls: false,
  ignoreDeadLinks: true, // scripts/docs.js follows every link of the finished site
  markdown: { attrs: { disable: true }, anchor: { slugify: asOnGitHub } }, // braces are text, as there
  themeConfig: {
    search: { provider: 'local', options: { _render: renderForSearch } },
    outline: [2, 3],
    nav: [
      { text: 'Hookline', link: '/' },
      { text: 'Install', link: '/docs/install' },
      { text: 'My hook does not fire', link: '/docs/my-hook-does-not-fire' },
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
      { text: 'All pages', link: '/docs/index' },
    ],
    sidebar: sidebar(),
  },
})

/**
 * The name of a heading in a link.
 * @param {string} heading
 */
function asOnGitHub(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}

/** Pages that readers do not search: what was measured, and what has changed. */
const NOT_SEARCHED = /^bench\/|(?:^|\/)CHANGELOG\.md$/

/**
 * A page for the index of the search.
 * @param {string} source
 * @param {import('vitepress').MarkdownEnv} env
 * @param {import('vitepress').MarkdownRenderer} markdown
 */
function renderForSearch(source, env, markdown) {
  const html = markdown.render(source, env)
  return NOT_SEARCHED.test(env.relativePath) ? '' : html
}

/** The groups of docs/index.md with the pages that each names. */
function sidebar() {
  const index = readFileSync(new URL('../../docs/index.md', import.meta.url), 'utf8')
  const [, ...groups] = index.split(/^## /m)
  return groups.map((group) => ({
    text: group.split('\n', 1)[0] ?? '',
    collapsed: false,
    items: [...group.matchAll(/\[([^\]]+)\]\((?!http)([^)#]+\.md)\)/g)].map(([, text = '', path = '']) => ({
      text,
      link: new URL(path, 'http://site/docs/').pathname.replace(/README\.md$|\.md$/, ''),
    })),
  }))
}
