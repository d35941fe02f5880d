import { execFileSync } from 'node:child_process'

/** The command of a Firefox that is there: `'firefox-esr'`. UNDERSTUDY_FIREFOX may name another. */
export function findFirefox(): string | undefined {
  const commands = [process.env['UNDERSTUDY_FIREFOX'], 'firefox-esr', 'firefox']
  return commands.find((command) => command !== undefined && command !== '' && runs(command, ['--version']))
}

/** Finds one, or installs Debian's where that is possible, and says what it did. Without one, its tests are skipped. */
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
