import { expect, test } from 'vitest'

import { ngAdd } from './ng-add.ts'

/** Runs the schematic on files in memory. */
function run(files: Record<string, string>): { warnings: string[]; tasks: object[] } {
  const warnings: string[] = []
  const tasks: object[] = []
  const write = (path: string, text: string): void => {
    files[path] = text
  }
  const tree = {
    exists: (path: string) => path in files,
    readText: (path: string) => files[path] ?? '',
    create: write,
    overwrite: write,
  }
  const logger = { info() {}, warn: (message: string) => void warnings.push(message) }
  ngAdd()(tree, { logger, addTask: (task) => void tasks.push(task) })
  return { warnings, tasks }
}

const workspace = (builder: string): string =>
  JSON.stringify({ projects: { shop: { root: 'projects/shop', architect: { serve: { builder } } } } })

test('an app gets the builder, a handler and the engine, which is installed', () => {
  const files: Record<string, string> = {
    'angular.json': workspace('@angular/build:dev-server'),
    'package.json': JSON.stringify({ devDependencies: { '@understudy/vite-plugin': '^1.2.3' } }),
  }
  const { warnings, tasks } = run(files)
  expect(JSON.parse(files['angular.json'] ?? '')).toEqual(JSON.parse(workspace('@understudy/vite-plugin:dev-server')))
  expect(files['projects/shop/src/mocks/handlers.ts']).toContain("http.get('/api/user'")
  expect(JSON.parse(files['package.json'] ?? '')).toEqual({
    devDependencies: { '@understudy/vite-plugin': '^1.2.3', '@understudy/engine': '^1.2.3' },
  })
  expect({ warnings, tasks }).toMatchObject({ warnings: [], tasks: [{}] })
})

test('existing handlers stay', () => {
  const files: Record<string, string> = {
    'angular.json': workspace('@angular/build:dev-server'),
    'package.json': JSON.stringify({ devDependencies: { '@understudy/engine': '1.0.0' } }),
    'projects/shop/src/mocks/handlers.ts': 'own',
  }
  expect(run(files).tasks).toEqual([])
  expect(files['projects/shop/src/mocks/handlers.ts']).toBe('own')
})

test('without a target to change, the terminal says so, and nothing is written', () => {
  const files = { 'angular.json': workspace('@angular-devkit/build-angular:dev-server') }
  expect(run(files).warnings.join('\n')).toMatch(/^Failed to set up mocking: no target "serve".*\(US0871\)/)
  expect(Object.keys(files)).toEqual(['angular.json'])
})
