import { dirname, join, sep } from 'node:path'

import { findBuildTool } from './build-tools.ts'
import type { Project } from './project.ts'
import { findWorkerModules } from './worker-set-up.ts'

/**
 * Finds the projects whose worker starts in another project of the repository, as apps do with a package of mocks. Call
 * it before a migration changes the projects.
 */
export function findUsersOfSharedMocks(projects: readonly Project[]): ReadonlySet<Project> {
  // Without a build tool, a project with a worker module may be a package whose worker starts in other projects.
  return findUsers(projects, (project) => findWorkerModules(project).length > 0 && !findBuildTool(project))
}

/** Finds the projects that depend on another project of the repository that has certain content, also indirectly. */
export function findUsers(projects: readonly Project[], isShared: (project: Project) => boolean): ReadonlySet<Project> {
  const sharing = projects.filter(isShared)
  const users = new Set<Project>()
  if (sharing.length === 0) return users
  const used = new Map(projects.map((project) => [project, findUsedProjects(project, projects)]))
  for (const project of projects) {
    const reached = new Set(used.get(project))
    for (const each of reached) for (const next of used.get(each) ?? []) reached.add(next)
    if (sharing.some((each) => each !== project && reached.has(each))) users.add(project)
  }
  return users
}

/** Finds the other projects that a project depends on, by its manifest and its imports. */
function findUsedProjects(project: Project, projects: readonly Project[]): Project[] {
  const names = new Set(Object.keys(readDependencies(project)))
  const paths = new Set<string>()
  for (const path of project.scripts) {
    for (const [, specifier = ''] of project.read(path).matchAll(/\b(?:from|import|require)\b\s*\(?\s*['"]([^'"]+)/g)) {
      if (specifier.startsWith('.')) paths.add(join(project.root, dirname(path), specifier))
      else names.add(/^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier)
    }
  }
  return projects.filter(
    (other) => other !== project && (names.has(readName(other)) || [...paths].some((path) => isInside(path, other))),
  )
}

function readDependencies(project: Project): Record<string, string> {
  const manifest = readManifest(project)
  return { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.peerDependencies }
}

function readName(project: Project): string {
  return readManifest(project).name ?? ''
}

function readManifest(project: Project): {
  name?: string
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
} {
  return JSON.parse(project.read('package.json')) as ReturnType<typeof readManifest>
}

/** Returns whether a path is in the folder of a project, and not in the folder of another project below it. */
function isInside(path: string, { root, nested }: Project): boolean {
  return path.startsWith(join(root, sep)) && !nested.some((folder) => path.startsWith(join(root, folder)))
}
