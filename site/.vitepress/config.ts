import { join, resolve } from 'node:path'

import { defineConfig } from 'vitepress'

import type { KeptRow } from '../../bench/report/results.ts'
import rows from '../../bench/results.json' with { type: 'json' }
import { addresses } from '../addresses.ts'
import { toAnchor } from '../anchors.ts'
import { checkAnchors } from '../check-anchors.ts'
import { drawBenchmarks } from '../draw-benchmarks.ts'
import { dropComments, linkRepository } from '../repository-links.ts'
import { listApiSections, sections, type Section } from '../sections.ts'
import { writeMarkdown } from '../write-markdown.ts'

const docs = resolve(import.meta.dirname, '../../docs')
const folder = resolve(import.meta.dirname, '..')
const description =
  'API mocking for browsers and Node: one line in your build tool, nothing to copy, nothing in production.'

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
  rewrites: { 'decisions/README.md': 'decisions/index.md' },
  markdown: {
    anchor: { slugify: toAnchor },
    config(md) {
      dropComments(md)
      linkRepository(md, addresses.repository)
      drawBenchmarks(md, rows as readonly KeptRow[])
    },
  },
  themeConfig: {
    outline: [2, 3],
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/vite' },
      { text: 'Guides', link: '/handlers' },
      { text: 'API', link: '/api/' },
    ],
    sidebar: {
      '/': sections.map(toSidebar),
      ...Object.fromEntries(Object.entries(listApiSections(docs)).map(([path, own]) => [path, own.map(toSidebar)])),
    },
    ...(addresses.repository && { socialLinks: [{ icon: 'github', link: addresses.repository }] }),
  },
  vite: {
    plugins: [
      {
        // The pages lie outside of this folder. Vite would look for Vue beside them.
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
