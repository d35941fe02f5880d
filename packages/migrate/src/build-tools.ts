import type { Addition } from './add-to-configuration.ts'
import type { Project } from './project.ts'

/** A build tool for which Understudy has a plugin. */
export interface BuildTool {
  /** The paths of its configuration, in the order in which they are searched. */
  readonly configurations: readonly RegExp[]
  readonly package: string
  /** The oldest version that the plugin supports, if projects still use older ones. */
  readonly oldest?: { readonly name: string; readonly dependency: string; readonly major: number }
  /** @param options the options of the plugin, as source text */
  toAddition(options: string): Addition
}

const webpackPlugin = '@understudy/webpack-plugin'
const inFolder = '(?:(?:config|webpack)/)?'

const tools: readonly BuildTool[] = [
  {
    configurations: [/^vite\.config\.[cm]?[jt]s$/],
    package: '@understudy/vite-plugin',
    oldest: { name: 'Vite', dependency: 'vite', major: 6 },
    toAddition: (options) => ({
      module: '@understudy/vite-plugin',
      binding: 'understudy',
      plugin: `understudy(${options})`,
    }),
  },
  {
    configurations: [/^rsbuild\.config\.[cm]?[jt]s$/],
    package: webpackPlugin,
    toAddition: (options) => ({
      module: `${webpackPlugin}/rsbuild`,
      binding: '{ pluginUnderstudy }',
      plugin: `pluginUnderstudy(${options})`,
    }),
  },
  {
    configurations: [/^next\.config\.[cm]?[jt]s$/],
    package: webpackPlugin,
    oldest: { name: 'Next.js', dependency: 'next', major: 15 },
    toAddition: (options) => ({
      module: `${webpackPlugin}/next`,
      binding: '{ withUnderstudy }',
      wrapper: { call: 'withUnderstudy', options },
    }),
  },
  {
    // Understudy decides by the mode, so the configuration that development and production share is the best place.
    configurations: [
      /^(?:webpack|rspack)\.config(?:\.(?:dev|development|common|base))?\.[cm]?[jt]s$/,
      new RegExp(`^${inFolder}(?:webpack|rspack)\\.(?:config\\.)?(?:common|base)\\.[cm]?[jt]s$`),
      new RegExp(`^${inFolder}(?:webpack|rspack)\\.(?:config\\.)?(?:dev|development)\\.[cm]?[jt]s$`),
      new RegExp(`^${inFolder}(?:webpack|rspack)\\.config\\.[cm]?[jt]s$`),
    ],
    package: webpackPlugin,
    toAddition: (options) => ({
      module: webpackPlugin,
      binding: '{ UnderstudyWebpackPlugin }',
      plugin: `new UnderstudyWebpackPlugin(${options})`,
    }),
  },
]

/** Finds the build tool of a project by its configuration file. Adds a note if the tool is too old for the plugin. */
export function findBuildTool(project: Project): { tool: BuildTool; path: string } | undefined {
  for (const tool of tools) {
    const [path] = tool.configurations.flatMap((pattern) => project.scripts.filter((each) => pattern.test(each)))
    if (path === undefined) continue
    if (!isTooOld(project, tool)) return { tool, path }
    const { name, major } = tool.oldest ?? { name: '', major: 0 }
    project.note(path, `${tool.package} needs ${name} ${major} or later. The page keeps setupWorker().`)
  }
  return undefined
}

/** Returns whether the manifest allows only versions of the tool that the plugin does not support. */
function isTooOld(project: Project, { oldest }: BuildTool): boolean {
  if (!oldest) return false
  const { dependencies, devDependencies } = JSON.parse(project.read('package.json')) as {
    dependencies?: Record<string, string>
    devDependencies?: Record<string, string>
  }
  const range = devDependencies?.[oldest.dependency] ?? dependencies?.[oldest.dependency] ?? ''
  const major = /^[\^~>=v\s]*(\d+)/.exec(range)?.[1]
  return major !== undefined && Number(major) < oldest.major
}
