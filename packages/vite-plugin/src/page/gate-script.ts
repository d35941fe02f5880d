import type { OutgoingHttpHeaders } from 'node:http'

import {
  describeBlockedGate,
  readGateScript,
  readScriptPolicy,
  type ScriptPolicy,
} from '@understudy/engine/internal/dev'

import type { Project } from '../project.ts'
import { bootstrapId } from '../virtual-modules.ts'

/** The attribute of the gate's element, with which the gate is found in a page that the dev server sends. */
export const gateAttribute = 'data-understudy-gate'

/** Returns the path of the gate as an external script, for pages whose policy forbids inline scripts. */
export function gatePath({ basePath }: Project): string {
  return `${basePath}__understudy-gate.js`
}

/** Returns the path of the script with the gate and the code that starts mocking, for pages that frameworks render. */
export function startPath({ basePath }: Project): string {
  return `${basePath}__understudy-start.js`
}

/**
 * Returns a script with the gate and the code that starts mocking. It removes its element, so that hydration finds only
 * the elements that the server rendered.
 */
export function createStartScript({ basePath }: Project): string {
  const bootstrap = JSON.stringify(`${basePath}@id/__x00__${bootstrapId}`)
  return `${readGateScript()}\ndocument.currentScript.remove();import(${bootstrap})`
}

export interface PolicyContext {
  readonly project: Project
  /** The headers with the page's policies. */
  readonly headers: readonly string[]
  /** The page's origin, if it is known. */
  readonly origin?: string | undefined
  readonly script: string
}

/** Selects how a page can load a script. If its policy allows no way, prints once what to add to the policy. */
export function choosePolicyForm({ project, headers, origin, script }: PolicyContext): ScriptPolicy {
  const { config } = project
  const policy = readScriptPolicy(headers, script, origin, config.html?.cspNonce)
  if (policy.form === 'blocked') config.logger.warnOnce(`[understudy] ${describeBlockedGate(script)}`)
  return policy
}

/** Returns the policies in the headers of a response. */
export function listHeaderPolicies(headers: OutgoingHttpHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === 'content-security-policy' ? [value ?? ''].flat().map(String) : [],
  )
}
