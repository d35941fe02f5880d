import type { Project } from './project.ts'

interface Manifest {
  readonly type?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/**
 * Adds a note to a configuration of TypeScript with which a CommonJS module cannot import the engine, an ES module: TypeScript
 * reports TS1479, although Node loads the engine. The other configuration changes more than imports of the engine, so the developer decides.
 */
export function noteTypeScript(project: Project): void {
  const { type, dependencies, devDependencies } = JSON.parse(project.read('package.json')) as Manifest
  const isImporting = (path: string): boolean =>
    (type === 'module' ? /\.cts$/ : /\.(?:ts|tsx|cts)$/).test(path) && project.read(path).includes('@understudy/')
  if (!project.scripts.some(isImporting)) return
  const version = devDependencies?.['typescript'] ?? dependencies?.['typescript']
  for (const path of project.paths.filter((each) => /(?:^|\/)[jt]sconfig(?:\.[\w.-]+)?\.json$/.test(each))) {
    const text = project.read(path)
    const match = /^[^/\n]*"module"\s*:\s*"(?<module>node16|node18|nodenext)"/im.exec(text)
    if (!match || (match.groups?.['module']?.toLowerCase() === 'nodenext' && !isBefore(version, 5, 8))) continue
    project.note(
      path,
      'With this "module", TypeScript reports TS1479 for imports of ES modules, such as the engine, in CommonJS. Set "nodenext" (TypeScript 5.8), "node20" (TypeScript 5.9) or "commonjs", or see "Types" in the documentation.',
      text.slice(0, match.index + match[0].length).split('\n').length,
    )
  }
}

/** Returns whether the lowest version that a range allows is below a version. */
function isBefore(range: string | undefined, major: number, minor: number): boolean {
  const match = /(?<major>\d+)(?:\.(?<minor>\d+))?/.exec(range ?? '')
  if (!match) return false
  const found = [Number(match.groups?.['major']), Number(match.groups?.['minor'] ?? 0)] as const
  return found[0] < major || (found[0] === major && found[1] < minor)
}
