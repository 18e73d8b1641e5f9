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
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Hookline', link: '/README' },
      { text: 'Install', link: '/docs/install' },
      { text: 'My hook does not fire', link: '/docs/my-hook-does-not-fire' },
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

/** The pages in the order in which docs/index.md names them. */
function sidebar() {
  const index = readFileSync(new URL('../../docs/index.md', import.meta.url), 'utf8')
  const links = [...index.matchAll(/\[([^\]]+)\]\((?!http)([^)#]+\.md)\)/g)]
  return links.map(([, text = '', path = '']) => ({
    text,
    link: new URL(path, 'http://site/docs/').pathname.replace(/\.md$/, ''),
  }))
}
