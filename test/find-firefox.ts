import { execFileSync } from 'node:child_process'

/** Returns the command of an installed Firefox: `'firefox-esr'`. UNDERSTUDY_FIREFOX may set another one. */
export function findFirefox(): string | undefined {
  const commands = [process.env['UNDERSTUDY_FIREFOX'], 'firefox-esr', 'firefox']
  return commands.find((command) => command !== undefined && command !== '' && runs(command, ['--version']))
}

/**
 * Finds Firefox, or installs Debian's package if possible, and prints the result. Without Firefox, its tests are
 * skipped.
 */
export function prepareFirefox(): void {
  const found = findFirefox()
  if (found !== undefined) console.log(`Firefox: ${found}`)
  else if (process.getuid?.() === 0 && runs('apt-get', ['update']) && runs('apt-get', installation)) {
    console.log('Firefox: firefox-esr, installed just now')
  } else console.log('Firefox: not found, so its tests are skipped. Install it, or set UNDERSTUDY_FIREFOX to its path.')
}

const installation = ['install', '-y', '--no-install-recommends', 'firefox-esr']

function runs(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
