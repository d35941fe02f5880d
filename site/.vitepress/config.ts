import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { defineConfig } from 'vitepress'

import type { KeptRow } from '../../bench/report/results.ts'
import { addresses } from '../addresses.ts'
import { toAnchor } from '../anchors.ts'
import { checkAnchors } from '../check-anchors.ts'
import { drawBenchmarks } from '../draw-benchmarks.ts'
import { offerPackageManagers } from '../package-managers.ts'
import { describePage } from '../page-description.ts'
import { linkPlayground } from '../playground-links.ts'
import { dropComments, linkRepository } from '../repository-links.ts'
import { listApi, listDecisions, listErrorCodes, sections, type Section } from '../sections.ts'
import { writeMarkdown } from '../write-markdown.ts'

const rows = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../bench/results.json'), 'utf8')) as KeptRow[]
const docs = resolve(import.meta.dirname, '../../docs')
const folder = resolve(import.meta.dirname, '..')
const description =
  'API mocking for browsers, Node, tests and Storybook: one line of setup, no worker file to copy, nothing in production.'

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="20" cy="16" r="10" fill="#a8b1ff"/><circle cx="12" cy="16" r="10" fill="#3451b2"/></svg>',
)}`

/**
 * Weighs a section of a page in the search. A search for a code finds its page first. For other words, the guides come first: the titles of
 * 240 error pages contain common words, such as "delay". VitePress sends this function as text to the page, so it uses no other names.
 */
const weighSection = (id: string, term: string): number => {
  if (id.includes('/errors/US')) {
    if (/^us\d/i.test(term)) return 2
    return /#(?:cause|example|fix)$/.test(id) ? 0.1 : 0.4
  }
  if (id.includes('/how-to')) return 2
  return /\/(?:api\/|architecture|reliability|fidelity|performance)/.test(id) ? 0.5 : 1
}

/** Leaves out words that almost every page contains, so that "how do I mock a 500" finds the same as "mock 500". */
const readTerm = (term: string): string =>
  /^(?:a|an|and|are|can|do|does|for|how|i|in|is|it|my|of|on|or|the|to|use|what|why|with)$/i.test(term)
    ? ''
    : term.toLowerCase()

const toSidebar = ({ title, pages }: Section, collapsed = false) => ({
  text: title,
  collapsed,
  items: pages.map(({ path, title: text }) => ({ text, link: `/${path}` })),
})

export default defineConfig({
  srcDir: '../docs',
  title: 'Understudy',
  description,
  lang: 'en',
  lastUpdated: false,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: icon }]],
  // Put the side bars and the list of pages into a separate file, and not into every page.
  metaChunk: true,
  markdown: {
    anchor: { slugify: toAnchor },
    config(md) {
      dropComments(md)
      linkRepository(md, addresses.repository)
      drawBenchmarks(md, rows)
      offerPackageManagers(md)
      linkPlayground(md)
    },
  },
  themeConfig: {
    outline: [2, 3],
    logo: { src: icon, alt: '' },
    search: {
      provider: 'local',
      options: {
        // Decisions are for contributors.
        _render: (source, env: { relativePath: string }, md) =>
          env.relativePath.startsWith('decisions/') ? '' : md.render(source, env),
        miniSearch: {
          searchOptions: {
            // Another digit is another error code.
            fuzzy: (term: string) => (/\d/.test(term) || term.length < 4 ? false : 0.2),
            // "a" is not the start of "answer".
            prefix: (term: string) => term.length > 2,
            processTerm: readTerm,
            boostDocument: weighSection,
          },
        },
      },
    },
    notFound: {
      title: 'Page not found',
      quote: 'There is no page at this address. Search the documentation, or go to the start page.',
      linkText: 'Start page',
      linkLabel: 'Go to the start page',
    },
    nav: [
      { text: 'Get started', link: '/vite' },
      { text: 'How do I …?', link: '/how-to' },
      { text: 'Guides', link: '/handlers' },
      { text: 'Playground', link: '/playground' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: {
      '/': sections.map((section) => toSidebar(section)),
      '/api/': listApi(docs).map((section) => toSidebar(section)),
      '/decisions/': [toSidebar(listDecisions(docs))],
      // VitePress opens the group of the current page.
      '/errors/': listErrorCodes(docs).map((section, i) => toSidebar(section, i > 0)),
    },
    ...(addresses.repository && { socialLinks: [{ icon: 'github', link: addresses.repository }] }),
  },
  vite: {
    plugins: [
      {
        // The pages are outside this folder, so Vite would look for Vue next to them.
        name: 'vue-for-pages',
        enforce: 'pre',
        resolveId(id, importer, { ssr }) {
          if (!/^vue(?:\/|$)/.test(id)) return null
          // Two copies of Vue in one process do not render each other's components.
          if (ssr) return { id, external: true }
          return importer?.startsWith(docs) ? this.resolve(id, join(folder, 'package.json'), { skipSelf: true }) : null
        },
      },
    ],
    server: { fs: { allow: ['../..'] } },
    build: { chunkSizeWarningLimit: 4000 },
  },
  transformPageData({ relativePath, frontmatter }) {
    if (relativePath.startsWith('errors/')) frontmatter['pageClass'] = 'error-page'
    if (frontmatter['layout'] === 'home' || relativePath.startsWith('api/')) return undefined
    const text = describePage(readFileSync(join(docs, relativePath), 'utf8'))
    return text === undefined ? undefined : { description: text }
  },
  async buildEnd({ outDir, pages, site }) {
    await checkAnchors(outDir, site.base)
    await writeMarkdown({ docs, outDir, pages, description })
  },
})
