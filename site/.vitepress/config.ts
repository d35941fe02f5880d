import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { defineConfig } from 'vitepress'

import type { KeptRow } from '../../bench/report/results.ts'
import { addresses } from '../addresses.ts'
import { toAnchor } from '../anchors.ts'
import { checkAnchors } from '../check-anchors.ts'
import { drawBenchmarks } from '../draw-benchmarks.ts'
import { linkPlayground } from '../playground-links.ts'
import { dropComments, linkRepository } from '../repository-links.ts'
import { listApi, listDecisions, listErrorCodes, sections, type Section } from '../sections.ts'
import { writeMarkdown } from '../write-markdown.ts'

const rows = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../bench/results.json'), 'utf8')) as KeptRow[]
const docs = resolve(import.meta.dirname, '../../docs')
const folder = resolve(import.meta.dirname, '..')
const description =
  'API mocking for browsers, Node, tests and Storybook: one line of setup, no worker file to copy, nothing in production.'

const toSidebar = ({ title, pages }: Section) => ({
  text: title,
  collapsed: false,
  items: pages.map(({ path, title: text }) => ({ text, link: `/${path}` })),
})

export default defineConfig({
  srcDir: '../docs',
  title: 'Understudy',
  description,
  lang: 'en',
  lastUpdated: false,
  // Put the side bars and the list of pages into a separate file, and not into every page.
  metaChunk: true,
  markdown: {
    anchor: { slugify: toAnchor },
    config(md) {
      dropComments(md)
      linkRepository(md, addresses.repository)
      drawBenchmarks(md, rows)
      linkPlayground(md)
    },
  },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Get started', link: '/vite' },
      { text: 'Playground', link: '/playground' },
      { text: 'Guides', link: '/concepts' },
      { text: 'Recipes', link: '/recipes/login' },
      { text: 'Troubleshooting', link: '/troubleshooting' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: {
      '/': sections.map(toSidebar),
      '/api/': [toSidebar(listApi(docs))],
      '/decisions/': [toSidebar(listDecisions(docs))],
      '/errors/': [toSidebar(listErrorCodes(docs))],
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
  async buildEnd({ outDir, pages, site }) {
    await checkAnchors(outDir, site.base)
    await writeMarkdown({ docs, outDir, pages, description })
  },
})
