import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The package of Debian whose source contains the tests. Another version has other tests, and other expected differences. */
const source = 'firefox-esr=140.12.0esr-1~deb12u1'

/** The unpacked folders: the tests, and the files that their pages and their server load. */
const folders = [
  'LICENSE.md',
  'common',
  'cors',
  'docs/commands.json',
  'eventsource',
  'feature-policy',
  'fetch',
  'fonts',
  'html/browsers/browsing-the-web',
  'html/resources',
  'images',
  'interfaces',
  'media',
  'resources',
  'service-workers/service-worker/resources',
  'tools',
  'websockets',
  'xhr',
]

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'understudy')

/** The folder of results, outside of the repository as the tests are. */
export const resultsFolder: string = join(cache, 'wpt-results')

/**
 * Returns the folder of the Web Platform Tests. Downloads and unpacks them if they are not in the cache: 683 MB, of
 * which 130 MB stay.
 *
 * @throws {Error} if neither the cache nor this machine's Debian mirror has them
 */
export async function bringTests(): Promise<string> {
  const folder = process.env['UNDERSTUDY_WPT'] ?? join(cache, 'wpt')
  if (existsSync(join(folder, 'resources/testharness.js'))) return folder
  const work = `${folder}-download`
  await mkdir(work, { recursive: true })
  const archive = await download(work)
  console.log(`Unpacking ${archive}.`)
  const unpacked = join(work, 'tests')
  await mkdir(unpacked, { recursive: true })
  run('tar', [
    '-xJf',
    join(work, archive),
    '-C',
    unpacked,
    '--strip-components=4',
    '--wildcards',
    ...folders.map((name) => `*/testing/web-platform/tests/${name}`),
  ])
  await rename(unpacked, folder)
  await rm(work, { recursive: true })
  return folder
}

/** Downloads the source package with a separate configuration of apt, so that the system does not change. */
async function download(work: string): Promise<string> {
  const findArchive = async (): Promise<string | undefined> =>
    (await readdir(work)).find((name) => name.endsWith('.orig.tar.xz'))
  const parts = join(work, 'parts')
  const configuration = join(work, 'apt.conf')
  await Promise.all(
    [parts, join(work, 'lists/partial'), join(work, 'cache')].map((each) => mkdir(each, { recursive: true })),
  )
  await writeFile(join(parts, 'source.sources'), await readSources())
  await writeFile(
    configuration,
    [
      `Dir::Etc::SourceList "/dev/null";`,
      `Dir::Etc::SourceParts "${parts}";`,
      `Dir::State::Lists "${join(work, 'lists')}";`,
      `Dir::Cache "${join(work, 'cache')}";`,
    ].join('\n'),
  )
  const environment = { APT_CONFIG: configuration }
  run('apt-get', ['update'], { environment })
  console.log(`Downloading the source of ${source}, 683 MB.`)
  // The archives of translations are not needed: apt prints the addresses of all files, and one is fetched.
  const listed = run('apt-get', ['source', '--print-uris', source], { environment, isRead: true })
  const [, address, file] = /'(\S+)' (\S+\.orig\.tar\.xz) /.exec(listed) ?? []
  if (!address || !file) throw failure('the source package lists no archive')
  run('/usr/lib/apt/apt-helper', ['download-file', address, join(work, file)], { environment })
  const archive = await findArchive()
  if (!archive) throw failure('the download left no archive')
  return archive
}

/** Returns the configured mirrors, for sources instead of packages. */
async function readSources(): Promise<string> {
  const text = await readFile('/etc/apt/sources.list.d/debian.sources', 'utf8').catch(() => '')
  if (text === '') throw failure('there is no /etc/apt/sources.list.d/debian.sources')
  return text.replaceAll(/^Types: .*$/gm, 'Types: deb-src')
}

function run(command: string, args: string[], options: { environment?: object; isRead?: boolean } = {}): string {
  const { environment = {}, isRead = false } = options
  const { status, error, stdout } = spawnSync(command, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', isRead ? 'pipe' : 'inherit', 'inherit'],
    encoding: 'utf8',
  })
  if (error || status !== 0) throw failure(error?.message ?? `${command} ended with code ${status}`)
  return stdout
}

function failure(reason: string): Error {
  return new Error(
    `Failed to bring the Web Platform Tests: ${reason}. They are downloaded from a Debian mirror (bookworm, ${source}). ` +
      'Run this on Debian with a network, or point UNDERSTUDY_WPT at the folder testing/web-platform/tests of that source.',
  )
}
