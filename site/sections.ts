import { globSync } from 'node:fs'

/** A group of pages in the side bar. */
export interface Section {
  readonly title: string
  readonly pages: readonly Page[]
}

/** A page below `docs`, without `.md`, and its name in the side bar. */
export interface Page {
  readonly path: string
  readonly title: string
}

const page = (path: string, title: string): Page => ({ path, title })

/** All pages except the generated API reference and the decisions, in the order of the side bar. */
export const sections: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      page('vite', 'Vite'),
      page('webpack', 'webpack'),
      page('rspack', 'Rspack'),
      page('rsbuild', 'Rsbuild'),
      page('storybook', 'Storybook'),
      page('vitest', 'Vitest'),
      page('jest', 'Jest'),
      page('node', 'Node'),
      page('frameworks', 'Frameworks'),
    ],
  },
  {
    title: 'Guides',
    pages: [
      page('concepts', 'Concepts'),
      page('handlers', 'Handlers'),
      page('responses', 'Responses'),
      page('overrides', 'Runtime overrides'),
      page('graphql', 'GraphQL'),
      page('websocket', 'WebSocket'),
      page('server-sent-events', 'Server-sent events'),
      page('cookies', 'Cookies'),
      page('files', 'Files'),
      page('streaming', 'Streaming'),
      page('errors', 'Errors'),
      page('types', 'Types'),
      page('panel', 'The panel'),
      page('browser', 'Pages without a plugin'),
      page('test-runners', 'Playwright and Cypress'),
      page('testing-library', 'Testing Library'),
      page('server', 'Handlers as a server'),
      page('inspect', 'Inspection'),
      page('security', 'Security'),
      page('reliability', 'Reliability'),
      page('fidelity-node', 'Mocked and real: Node'),
      page('fidelity-browser', 'Mocked and real: browsers'),
    ],
  },
  {
    title: 'Recipes',
    pages: [
      page('recipes/login', 'Log in with cookies'),
      page('recipes/crud', 'CRUD with state'),
      page('recipes/pagination', 'Pagination'),
      page('recipes/polling', 'Polling'),
      page('recipes/uploads', 'Uploads'),
      page('recipes/retries', 'Retries'),
      page('recipes/slow-networks', 'Slow networks'),
      page('recipes/random-failures', 'Random failures'),
      page('recipes/per-user-data', 'Data for each user'),
      page('recipes/by-url', 'Conditional by URL'),
      page('recipes/openapi', 'Types from OpenAPI'),
    ],
  },
  {
    title: 'Reference',
    pages: [
      page('api/index', 'API reference'),
      page('troubleshooting', 'Troubleshooting'),
      page('comparison', 'Comparison'),
      page('performance', 'Performance'),
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
    title: 'Contributing',
    pages: [page('architecture', 'Architecture'), page('decisions/README', 'Decisions')],
  },
]

/**
 * The side bars of the generated API reference by path: every entry, and the exports of the one that is shown.
 *
 * @param docs the folder of the pages
 */
export function listApiSections(docs: string): Record<string, Section[]> {
  const paths = globSync('api/@understudy/**/*.md', { cwd: docs }).map((file) =>
    file.replaceAll('\\', '/').slice(0, -3),
  )
  const entries = paths.filter((path) => path.endsWith('/index')).map((path) => path.slice(0, -'index'.length))
  const all: Section = {
    title: 'API reference',
    pages: entries.toSorted().map((entry) => page(entry, entry.slice('api/'.length, -1))),
  }
  const sideBars: Record<string, Section[]> = { '/api/': [all] }
  for (const entry of entries) {
    const members = paths.filter((path) => path.startsWith(entry) && isMember(path.slice(entry.length)))
    const pages = members.map((path) => page(path, path.slice(path.lastIndexOf('/') + 1)))
    pages.sort((one, other) => one.title.localeCompare(other.title))
    sideBars[`/${entry}`] = [{ title: entry.slice('api/'.length, -1), pages }, all]
  }
  return sideBars
}

/** `functions/delay`, but no page of an entry below this one. */
function isMember(path: string): boolean {
  return /^[a-z-]+\/[^/]+$/.test(path) && !path.endsWith('/index')
}
