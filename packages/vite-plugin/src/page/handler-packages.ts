import { createPackagesPlugin } from '@understudy/engine/internal/dev'
import type { Plugin } from 'vite'

import { pluginName, type Project } from '../project.ts'

/** Finds the packages that only the handlers import when the dev server starts. */
export function handlerPackages(project: Project): Plugin {
  function findFile(): string | undefined {
    try {
      return project.findHandlers().path
    } catch {
      // Other code reports that there are no handlers.
      return undefined
    }
  }
  const isOn = (): boolean => project.mocksPages && !project.isBundledDev
  return createPackagesPlugin(`${pluginName}:handler-packages`, findFile, isOn)
}
