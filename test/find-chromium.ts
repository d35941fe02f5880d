import { execFileSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

/** A browser that was started once to read its version. */
export interface FoundBrowser {
  /** The executable. */
  readonly path: string
  /** As the browser gives it: `'Chromium 150.0.7871.63'`. */
  readonly version: string
  /** How it was found: `'found on PATH'`. */
  readonly how: string
}

/** Environment variables that name the executable; the first that is set decides. */
const variables = ['UNDERSTUDY_CHROMIUM', 'CHROME_PATH', 'CHROMIUM_PATH'] as const

const commands = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']

const headlessShell = 'chromium-headless-shell'

const macApplications = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Looks for Chromium in the environment, in PATH, and then for Playwright's. Does not install it.
 *
 * @throws {Error} if an environment variable does not lead to a browser. Using another one would surprise the developer
 */
export function findChromium(): FoundBrowser | undefined {
  for (const variable of variables) {
    const path = process.env[variable]
    if (!path) continue
    const version = readVersion(path)
    if (version) return { path, version, how: `named by ${variable}` }
    throw new Error(
      `Failed to find a browser: ${variable} is ${path}, which does not run. ` +
        `Point it at a Chromium executable, or unset it.`,
    )
  }
  return (
    firstThatRuns(onPath(), 'found on PATH') ??
    firstThatRuns([pathOfPlaywright()], "Playwright's") ??
    firstThatRuns(macApplications, 'found in Applications')
  )
}

/**
 * Finds a Chromium, or installs one: Playwright's build, or else Debian's package where that is possible.
 *
 * @throws if no Chromium is found and none can be installed; the message lists what was tried
 */
export function findOrInstallChromium(): FoundBrowser {
  const found = findChromium()
  if (found) return found

  const failures: string[] = []
  for (const { what, commands: steps } of installers()) {
    console.error(`No Chromium found, installing ${what}.`)
    try {
      for (const [command, ...args] of steps) run(command, args)
      const installed = findChromium()
      if (installed) return { ...installed, how: `${installed.how}, installed just now` }
      failures.push(`${what} was installed but does not run`)
    } catch (error) {
      failures.push(`installing ${what} failed (${firstLine(error)})`)
    }
  }
  throw new Error(
    `Failed to find a browser: none of ${commands.join(', ')} is on PATH; ${failures.join('; ')}. ` +
      'Install Chromium, or set UNDERSTUDY_CHROMIUM to its path.',
  )
}

/**
 * Finds Chromium's headless shell: the same engine without the windows around it. A new profile takes a fifth of the processor
 * time. `UNDERSTUDY_HEADLESS_SHELL` names it, or switches it off if it is empty.
 *
 * @returns `undefined` if it is not installed, or in another version than Chromium
 */
export function findHeadlessShell(): string | undefined {
  const named = process.env['UNDERSTUDY_HEADLESS_SHELL']
  if (named !== undefined) return named || undefined
  const path = findCommand(headlessShell)
  const version = path && readVersion(path)
  return version && toNumber(version) === toNumber(findChromium()?.version ?? '') ? path : undefined
}

/** Returns the executable for a test: the headless shell if there is one. */
export function findForTest(): string | undefined {
  return findHeadlessShell() ?? findChromium()?.path
}

/**
 * Finds the headless shell, or installs Debian's package next to Debian's Chromium. Not every version of Debian has it: tests also run
 * without it, more slowly.
 */
export function findOrInstallHeadlessShell(): string | undefined {
  const found = findHeadlessShell()
  const isNamed = process.env['UNDERSTUDY_HEADLESS_SHELL'] !== undefined
  if (found || isNamed || !canUseDebian() || findChromium()?.path !== '/usr/bin/chromium') return found
  try {
    run('apt-get', ['update'])
    // The two need the same version of a third package. If only the shell were installed, apt could remove Chromium.
    run('apt-get', ['install', '--yes', '--no-install-recommends', 'chromium', headlessShell])
  } catch {
    return undefined
  }
  return findHeadlessShell()
}

/** `'150.0.7871.63'` */
function toNumber(version: string): string | undefined {
  return /\d+(\.\d+)*$/.exec(version)?.[0]
}

interface Installer {
  readonly what: string
  readonly commands: readonly (readonly [command: string, ...args: string[]])[]
}

function installers(): Installer[] {
  const playwright: Installer = {
    what: "Playwright's Chromium",
    commands: [['playwright', 'install', '--no-shell', 'chromium']],
  }
  const debian: Installer = {
    what: "Debian's chromium",
    commands: [
      ['apt-get', 'update'],
      ['apt-get', 'install', '--yes', '--no-install-recommends', 'chromium'],
    ],
  }
  return canUseDebian() ? [playwright, debian] : [playwright]
}

function canUseDebian(): boolean {
  return process.getuid?.() === 0 && findCommand('apt-get') !== undefined
}

/** Loads Playwright only here, because it takes long to load, and most machines have a browser on PATH. */
function pathOfPlaywright(): string {
  const { chromium } = createRequire(import.meta.url)('playwright') as typeof import('playwright')
  return chromium.executablePath()
}

function onPath(): string[] {
  return commands.map(findCommand).filter((path) => path !== undefined)
}

function findCommand(command: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((directory) => join(directory, command))
    .find((path) => existsSync(path))
}

function firstThatRuns(paths: readonly string[], how: string): FoundBrowser | undefined {
  for (const path of paths) {
    const version = readVersion(path)
    if (version) return { path, version, how }
  }
  return undefined
}

/** Runs the browser to read its version, because the libraries that it needs may be missing. */
function readVersion(path: string): string | undefined {
  if (!existsSync(path)) return undefined
  try {
    const line = execFileSync(path, ['--version'], quietly(10_000)).trim()
    return /^.*?\d+(\.\d+)*/.exec(line)?.[0]
  } catch {
    return undefined
  }
}

/** Runs a command with a time-out, because a blocked download may hang. */
function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, {
    ...quietly(180_000),
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
}

function quietly(timeout: number): ExecFileSyncOptionsWithStringEncoding {
  return { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout, killSignal: 'SIGKILL' }
}

/** Returns the first line of a failed command's output, without its call. */
function firstLine(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string }
  const line = [stderr, message].flatMap((text) => text?.split('\n') ?? [])
  return line.find((text) => text.trim() !== '')?.trim() ?? 'no reason given'
}
