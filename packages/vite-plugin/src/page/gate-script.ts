import type { OutgoingHttpHeaders } from 'node:http'

import {
  describeBlockedGate,
  readGateScript,
  readScriptPolicy,
  type ScriptPolicy,
} from '@understudy/engine/internal/dev'

import type { Project } from '../project.ts'
import { bootstrapId } from '../virtual-modules.ts'

/** By this attribute of its element, the gate is found again in a page that leaves the dev server. */
export const gateAttribute = 'data-understudy-gate'

/** Where the dev server has the gate as a script of its own, for pages whose policy allows no inline scripts. */
export function gatePath({ basePath }: Project): string {
  return `${basePath}__understudy-gate.js`
}

/** Where it has the gate together with what starts mocking, for pages that frameworks render. */
export function startPath({ basePath }: Project): string {
  return `${basePath}__understudy-start.js`
}

/** The gate, and what starts mocking. Its element is gone once it has run: hydration finds what the server rendered. */
export function createStartScript({ basePath }: Project): string {
  const bootstrap = JSON.stringify(`${basePath}@id/__x00__${bootstrapId}`)
  return `${readGateScript()}\ndocument.currentScript.remove();import(${bootstrap})`
}

export interface PolicyContext {
  readonly project: Project
  /** The values of its policies' headers. */
  readonly headers: readonly string[]
  /** The page's origin, where it is known. */
  readonly origin?: string | undefined
  readonly script: string
}

/** How a script can come to a page. Where no way is allowed, the terminal says once what to add to the policy. */
export function choosePolicyForm({ project, headers, origin, script }: PolicyContext): ScriptPolicy {
  const { config } = project
  const policy = readScriptPolicy(headers, script, origin, config.html?.cspNonce)
  if (policy.form === 'blocked') config.logger.warnOnce(`[understudy] ${describeBlockedGate(script)}`)
  return policy
}

/** The policies that a response's headers hold. */
export function listHeaderPolicies(headers: OutgoingHttpHeaders): string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    name.toLowerCase() === 'content-security-policy' ? [value ?? ''].flat().map(String) : [],
  )
}
