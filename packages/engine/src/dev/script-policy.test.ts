import { createHash } from 'node:crypto'

import fc from 'fast-check'
import { expect, test } from 'vitest'

import { describeBlockedGate, hashSource, readScriptPolicy } from './script-policy.ts'

const script = 'gate()'
const origin = 'http://localhost:5173'
const sha512 = createHash('sha512').update(script).digest('base64')

test.each<[policies: string[], form: string, nonce?: string]>([
  [[], 'inline'],
  [["default-src 'none'; script-src * 'unsafe-inline'"], 'inline'],
  [["img-src 'self'; object-src 'none'"], 'inline'],
  [["script-src 'self'"], 'external'],
  [["default-src 'self'"], 'external'],
  [["SCRIPT-SRC 'SELF'"], 'external'],
  [["script-src-elem 'self'; script-src 'unsafe-inline'"], 'external'],
  [["script-src 'self'; script-src 'unsafe-inline'"], 'external'],
  [["script-src 'self' 'unsafe-inline' 'sha256-abc='"], 'external'],
  [['script-src http:'], 'external'],
  [['script-src localhost:5173'], 'external'],
  [['script-src http://localhost:5173/'], 'external'],
  [['script-src http://localhost:*'], 'external'],
  [['script-src localhost:1'], 'blocked'],
  [["script-src 'none'"], 'blocked'],
  [['script-src'], 'blocked'],
  [['script-src https://cdn.example'], 'blocked'],
  [["script-src 'strict-dynamic' 'sha256-abc='"], 'blocked'],
  [["script-src 'self' 'strict-dynamic'"], 'blocked'],
  [["script-src 'nonce-a1' 'strict-dynamic'"], 'inline', 'a1'],
  [["script-src 'nonce-a1'", "script-src 'self' 'nonce-a1'"], 'inline', 'a1'],
  [["script-src 'nonce-a1'", "script-src 'self'"], 'external', 'a1'],
  [["script-src 'nonce-a1', script-src 'self'"], 'external', 'a1'],
  [["script-src 'unsafe-inline'", "script-src 'self'"], 'blocked'],
  [[`script-src 'strict-dynamic' ${hashSource(script)}`], 'inline'],
  [[`script-src 'sha512-${sha512}'`], 'inline'],
  [[`script-src 'sha512-${sha512.replaceAll('+', '-').replaceAll('/', '_')}'`], 'inline'],
])('%j: the gate is %s', (policies, form, nonce) => {
  expect(readScriptPolicy(policies, script, origin)).toEqual({ form, nonce })
})

test('only a nonce that the page already has counts', () => {
  const policy = ["script-src 'nonce-a1' 'nonce-b2'"]
  expect(readScriptPolicy(policy, script, origin, 'b2')).toEqual({ form: 'inline', nonce: 'b2' })
  expect(readScriptPolicy(policy, script, origin, 'c3')).toEqual({ form: 'blocked', nonce: 'c3' })
})

test('says what to add', () => {
  expect(describeBlockedGate(script)).toContain(`Add 'self' or ${hashSource(script)} to its directive script-src`)
})

test('accepts any policy', () => {
  const part = fc.oneof(
    fc.constantFrom(
      'script-src',
      "'self'",
      "'nonce-",
      "'sha256-",
      ';',
      ',',
      ' ',

      '>',
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(
      fc.array(part).map((parts) => parts.join('')),
      (text) => {
        expect(['inline', 'external', 'blocked']).toContain(readScriptPolicy([text], script, origin).form)
      },
    ),
  )
  readScriptPolicy([`script-src ${"'nonce-".repeat(100_000)}`], script)
}, 5000)
