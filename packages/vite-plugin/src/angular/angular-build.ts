import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'

import { failure } from '@understudy/engine/internal/dev'

/** The parts of `BuilderContext` that the builder reads (`@angular-devkit/architect`). Projects without Angular do not have its types. */
export interface BuilderContext {
  readonly workspaceRoot: string
  readonly target?: { readonly project: string }
  readonly logger: { info(message: string): void }
  getProjectMetadata(project: string): Promise<Record<string, unknown>>
  getTargetOptions(target: Target): Promise<Record<string, unknown>>
  addTeardown(end: () => Promise<void>): void
}

interface Target {
  readonly project: string
  readonly target: string
  readonly configuration?: string
}

/** The options of Angular's dev server that the builder reads. */
export interface DevServerOptions {
  readonly buildTarget: string
  readonly servePath?: string
}

export interface BuilderOutput {
  readonly success: boolean
  readonly baseUrl?: string
}

export type Middleware = (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => void

interface AngularBuild {
  executeDevServerBuilder(
    options: DevServerOptions,
    context: BuilderContext,
    extensions: { middleware: Middleware[] },
  ): AsyncIterable<BuilderOutput>
}

interface Architect {
  readonly createBuilder: (execute: (options: never, context: BuilderContext) => AsyncIterable<BuilderOutput>) => object
}

/** The packages of the workspace's Angular. */
export interface AngularPackages {
  readonly build: AngularBuild
  /** The file of the Vite that Angular uses. */
  readonly vite: string
}

/** @throws if the workspace has no `@angular/build` */
export function loadAngular(workspaceRoot: string): AngularPackages {
  const ofBuild = requireOfBuild(workspaceRoot)
  return { build: ofBuild('@angular/build') as AngularBuild, vite: ofBuild.resolve('vite') }
}

/** The function that creates a builder. The CLI recognizes builders by what it adds. */
export function loadCreateBuilder(workspaceRoot: string): Architect['createBuilder'] {
  return (requireOfBuild(workspaceRoot)('@angular-devkit/architect') as Architect).createBuilder
}

/**
 * Resolves modules as `@angular/build` does. Only there are its dependencies sure to be found: package managers may hide them
 * from the workspace and from this package.
 */
function requireOfBuild(workspaceRoot: string): NodeJS.Require {
  let cause: unknown
  for (const from of [join(workspaceRoot, 'package.json'), import.meta.url]) {
    try {
      return createRequire(createRequire(from).resolve('@angular/build/package.json'))
    } catch (error) {
      cause ??= error
    }
  }
  throw failure(
    'US0870',
    'set up mocking',
    'this workspace has no @angular/build',
    'Install it. Understudy’s builder runs its dev server.',
    { cause },
  )
}

/** Reads a target as `angular.json` names it: `'app:build:development'`. */
export function parseTarget(name: string, ownProject: string): Target {
  const [project = '', target = '', configuration] = name.split(':')
  return { project: project || ownProject, target, ...(configuration !== undefined && { configuration }) }
}
