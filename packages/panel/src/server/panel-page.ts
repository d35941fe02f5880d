import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const { resolve } = createRequire(import.meta.url)

/** The data that the server writes into the page. */
export interface PageFacts {
  /** The dev server's base path, where the app is. */
  readonly base: string
  /** The token that the page sends with requests for confidential data. */
  readonly token: string
  /** The URL that opens a file in the developer's editor, up to the file's path; empty if there is none. */
  readonly editor: string
  /** Whether there may be networks of the server's own process: `yes` or `no`. */
  readonly server: string
  /** Whether handlers can be saved: `yes` or `no`. */
  readonly save: string
}

/** The policy allows only the page's own script, and no other site may show the page in a frame. */
export const pagePolicy: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

const icon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M2 3h12v4a6 6 0 0 1-12 0z" fill="#1f57c3"/><path d="M5 7.5q1.2 1 2.2 0m1.6 0q1.2 1 2.2 0M6 10.2q2 1.4 4 0" fill="none" stroke="#fff" stroke-linecap="round"/></svg>`,
)}`

/** The page's HTML. It is static, except for the facts. Its marker excludes the page from mocking. */
export function createPage(facts: PageFacts): string {
  const metas = Object.entries(facts).map(
    ([name, value]: [string, string]) => `<meta name="understudy-${name}" content="${escapeHtml(value)}">`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Understudy</title>
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
${metas.join('\n')}
<link rel="icon" href="${icon}">
<style>html, body, #panel { height: 100%; margin: 0 }</style>
</head>
<body>
<div id="panel" data-understudy></div>
<script type="module" src="${escapeHtml(facts.base)}__understudy/panel.js"></script>
</body>
</html>
`
}

/** Returns the page's script, which the package's build created. */
export function readPageScript(): string {
  return readFileSync(resolve('@understudy/panel/page-script'), 'utf8')
}

/**
 * Returns a script that the page's script imports, also dynamically.
 *
 * @returns `undefined` if the build created no script with this name
 */
export function readPageModule(name: string): string | undefined {
  const folder = join(dirname(resolve('@understudy/panel/page-script')), 'page')
  return readdirSync(folder).includes(name) ? readFileSync(join(folder, name), 'utf8') : undefined
}

/** Returns the script that opens the panel in the app's page. */
export function readDockScript(): string {
  return readFileSync(resolve('@understudy/panel/dock-script'), 'utf8')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
