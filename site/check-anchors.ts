import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Checks that each link between pages of a built site leads to a page, and each `#anchor` to an element of it. VitePress
 * checks pages only.
 *
 * @param base the path below which the site is served, with a slash at its end
 * @throws with every dead link
 */
export async function checkAnchors(folder: string, base: string): Promise<void> {
  const files = globSync('**/*.html', { cwd: folder }).map((file) => file.replaceAll('\\', '/'))
  const texts = new Map(await Promise.all(files.map(async (file) => [file, await read(folder, file)] as const)))
  const ids = new Map([...texts].map(([file, html]) => [file, new Set(attributesOf(html, 'id'))]))
  const dead: string[] = []
  for (const [file, html] of texts) {
    for (const href of new Set(attributesOf(html, 'href'))) {
      const url = new URL(href, new URL(base + file, 'https://site.example/'))
      if (url.host !== 'site.example') continue
      const path = decodeURIComponent(url.pathname).slice(base.length)
      const target = path === '' || path.endsWith('/') ? `${path}index.html` : path
      if (!target.endsWith('.html')) continue
      const anchor = decodeURIComponent(url.hash.slice(1))
      const known = ids.get(target)
      if (!known) dead.push(`${file}: no page ${href}`)
      // The hash of the playground's URL is its state, not an anchor.
      else if (anchor && target !== 'playground.html' && !known.has(anchor)) dead.push(`${file}: no anchor ${href}`)
    }
  }
  if (dead.length > 0) throw new Error(`Failed to build the site: ${dead.length} dead links.\n${dead.join('\n')}`)
}

function read(folder: string, file: string): Promise<string> {
  return readFile(join(folder, file), 'utf8')
}

function attributesOf(html: string, name: string): string[] {
  return Array.from(html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g')), ([, value = '']) =>
    value.replaceAll('&amp;', '&').replaceAll('&#39;', "'").replaceAll('&quot;', '"'),
  )
}
