import { describe, expect, test, vi } from 'vitest'

import { HttpResponse } from '../../../core/responses/http-response.ts'
import { graphql } from '../../graphql.ts'
import type { Use } from './sample-operations.ts'

/** Tests requests that no GraphQL client sends. */
export function checkMalformedRequests(upstream: string, use: Use): void {
  describe('a malformed request reaches the server, and the console says why', () => {
    const form = (map: string): FormData => {
      const body = new FormData()
      body.append('operations', '{"query":"mutation Upload { upload }","variables":{"file":null}}')
      body.append('map', map)
      body.append('0', new File(['text'], 'note.txt'))
      return body
    }

    test.each<[name: string, body: string | FormData, problem: string]>([
      ['a malformed document', '{"query":"query GetUser {"}', 'its document is malformed'],
      [
        'variables that are not an object',
        '{"query":"query GetUser { user }","variables":[1]}',
        'its "variables" are not an object',
      ],
      ['a map that is not JSON', form('{'), 'map'],
      ['a map with a path that does not exist', form('{"0":["variables.other.file"]}'), 'map'],
      ['a map with a path into the prototype', form('{"0":["variables.__proto__.polluted"]}'), 'map'],
    ])('%s', async (_name, body, problem) => {
      const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined)
      const link = graphql.link(`${upstream}/any`)
      use(
        link.query('GetUser', () => HttpResponse.json({ data: {} })),
        link.mutation('Upload', () => HttpResponse.json({ data: {} })),
      )
      const headers = { ...(typeof body === 'string' && { 'Content-Type': 'application/json' }) }
      const response = await fetch(`${upstream}/any`, { method: 'POST', headers, body })
      // The real server answers every request in this way.
      expect([response.status, await response.text()]).toEqual([200, '[]'])
      expect(warn.mock.calls.join('\n')).toContain(problem)
      expect({}).not.toHaveProperty('polluted')
      warn.mockRestore()
    })
  })
}
