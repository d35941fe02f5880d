import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A group of pages in the side bar. */
export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
}

/** A page below `docs` without `.md`, and its name in the side bar. */
export interface Page {
  readonly path: string
  readonly title: string
}

const page = (path: string, title: string): Page => ({ path, title })

/** All pages except the generated API reference and the decisions, in the order of the side bar. */
export const sections: readonly Section[] = [
  {
    title: 'Get started',
    pages: [
      page('tutorial', 'Tutorial'),
      page('concepts', 'Concepts'),
      page('how-to', 'How do I …?'),
      page('playground', 'Playground'),
    ],
  },
  {
    title: 'Build tools',
    pages: [
      page('vite', 'Vite'),
      page('webpack', 'webpack'),
      page('rspack', 'Rspack'),
      page('rsbuild', 'Rsbuild'),
      page('nextjs', 'Next.js'),
      page('angular', 'Angular CLI'),
      page('frameworks', 'Server-rendering frameworks'),
      page('browser', 'Pages without a plugin'),
      page('remote', 'Proxies and containers'),
    ],
  },
  {
    title: 'Tests and stories',
    pages: [
      page('vitest', 'Vitest'),
      page('jest', 'Jest'),
      page('node', 'Node'),
      page('testing-library', 'React with Testing Library'),
      page('test-runners', 'Playwright and Cypress'),
      page('storybook', 'Storybook'),
      page('runtimes', 'Bun, Deno, React Native'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      page('handlers', 'Handlers'),
      page('responses', 'Responses'),
      page('errors', 'Simulated errors'),
      page('overrides', 'Runtime overrides'),
      page('scenarios', 'Scenarios'),
      page('graphql', 'GraphQL'),
      page('websocket', 'WebSocket'),
      page('server-sent-events', 'Server-sent events'),
      page('cookies', 'Cookies'),
      page('files', 'Files'),
      page('streaming', 'Streaming'),
      page('types', 'Types'),
      page('documents', 'Documents, frames, workers'),
      page('service-worker', 'The service worker'),
    ],
  },
  {
    title: 'Tools',
    pages: [
      page('panel', 'The panel'),
      page('trace', 'The trace'),
      page('server', 'Handlers as a server'),
      page('inspect', 'Inspection'),
      page('sources', 'Custom sources'),
    ],
  },
  {
    title: 'Migration',
    pages: [
      page('migrating-from-msw', 'From MSW'),
      page('migrating-from-msw-storybook-addon', 'From msw-storybook-addon'),
    ],
  },
  {
    title: 'Recipes',
    pages: [
      page('recipes/login', 'Log in with cookies'),
      page('recipes/crud', 'CRUD with state'),
      page('recipes/relations', 'Related records'),
      page('recipes/pagination', 'Pagination'),
      page('recipes/polling', 'Polling'),
      page('recipes/uploads', 'Uploads'),
      page('recipes/retries', 'Retries'),
      page('recipes/slow-networks', 'Slow networks'),
      page('recipes/random-failures', 'Random failures'),
      page('recipes/per-user-data', 'Data for each user'),
      page('recipes/by-url', 'Responses by page URL'),
      page('recipes/loading-states', 'Loading states'),
      page('recipes/check-requests', 'Check requests'),
      page('recipes/conditional-requests', 'Conditional requests'),
      page('recipes/real-back-end', 'Use the real back end'),
      page('recipes/patch-responses', 'Change real responses'),
      page('recipes/reuse-resolvers', 'Reuse resolver logic'),
      page('recipes/openapi', 'Types from OpenAPI'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('api/index', 'API reference'),
      page('troubleshooting', 'Troubleshooting'),
      page('error-codes', 'Error codes'),
      page('entries', 'Packages and entries'),
      page('limits', 'Known limits'),
      page('security', 'Security'),
      page('reliability', 'Reliability'),
      page('performance', 'Performance'),
      page('comparison', 'Comparison'),
      page('fidelity-node', 'Mocked and real in Node'),
      page('fidelity-browser', 'Mocked and real in browsers'),
    ],
  },
  {
    title: 'Contributing',
    pages: [page('architecture', 'Architecture'), page('decisions/README', 'Decisions')],
  },
]

/**
 * Returns the side bar of the generated API reference: a group for each package, with an item for each of its entries.
 *
 * @param docs the folder of the pages
 */
export function listApi(docs: string): Section[] {
  const packages = new Map<string, Page[]>()
  const entries = globSync('api/@understudy/**/index.md', { cwd: docs }).map((file) => file.replaceAll('\\', '/'))
  // Without the file's name, a package comes before its other entries.
  for (const path of entries.map((file) => file.slice(0, -'index.md'.length)).toSorted()) {
    const [, scope, name, ...entry] = path.split('/')
    const title = `${scope}/${name}`
    packages.set(title, [...(packages.get(title) ?? []), page(path, entry.join('/').slice(0, -1) || title)])
  }
  return [...packages].map(([title, pages]) => ({ title, pages }))
}

/**
 * Returns the side bar of the pages of error codes, in the groups of the page that lists all codes.
 *
 * @param docs the folder of the pages
 */
export function listErrorCodes(docs: string): Section[] {
  const [, ...groups] = readFileSync(join(docs, 'error-codes.md'), 'utf8').split(/^## /m)
  const listed = groups.map((group): Section => ({
    title: group.slice(0, group.indexOf('\n')).trim(),
    pages: Array.from(group.matchAll(/^- \[(US\d+)\]\((.+)\.md\): (.+)$/gm), ([, code, path, title]) =>
      page(path ?? '', `${code}: ${title}`),
    ),
  }))
  return [{ title: 'Error codes', pages: [page('error-codes', 'All codes')] }, ...listed]
}

/**
 * Returns the side bar of the decisions.
 *
 * @param docs the folder of the pages
 */
export function listDecisions(docs: string): Section {
  const files = globSync('decisions/[0-9]*.md', { cwd: docs }).toSorted()
  const pages = files.map((file) => {
    const title = /^# (.+)$/m.exec(readFileSync(join(docs, file), 'utf8'))?.[1]
    return page(file.replaceAll('\\', '/').slice(0, -'.md'.length), title ?? file)
  })
  return { title: 'Decisions', pages }
}
