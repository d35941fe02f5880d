import { posix, win32, type PlatformPath } from 'node:path'

import { expect, test } from 'vitest'

import { isWithin } from './repository.ts'

test.each<readonly [platform: PlatformPath, folder: string, path: string, isInside: boolean]>([
  [posix, '/home/ada/app', '/home/ada/app', true],
  [posix, '/home/ada/app', '/home/ada/app/src/a.ts', true],
  [posix, '/home/ada/app', '/home/ada/app/..src/a.ts', true],
  [posix, '/home/ada/app', '/home/ada/application/a.ts', false],
  [posix, '/home/ada/app', '/home/ada/app/../a.ts', false],
  [posix, '/home/ada/app', '/home/ada', false],
  [win32, 'C:\\app', 'C:\\app\\src\\a.ts', true],
  [win32, 'C:\\app', 'c:\\APP\\src\\a.ts', true],
  [win32, 'C:\\app', 'C:\\other\\a.ts', false],
  [win32, 'C:\\app', 'D:\\other\\a.ts', false],
  [win32, 'C:\\app', '\\\\server\\share\\a.ts', false],
])('a folder contains a path, or does not: case %#', (platform, folder, path, isInside) => {
  expect({ folder, path, isInside: isWithin(folder, path, platform) }).toEqual({ folder, path, isInside })
})
