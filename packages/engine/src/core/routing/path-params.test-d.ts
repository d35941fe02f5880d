import { expectTypeOf, test } from 'vitest'

import type { ParamsOf, PathParams } from './path-params.ts'

test('a path without parameters has none', () => {
  expectTypeOf<ParamsOf<'/user'>>().toEqualTypeOf<{}>()
  expectTypeOf<ParamsOf<'https://example.com:8080/user'>>().toEqualTypeOf<{}>()
  expectTypeOf<ParamsOf<'http://127.0.0.1:3000'>>().toEqualTypeOf<{}>()
})

test('parameters by name', () => {
  expectTypeOf<ParamsOf<'/user/:id'>>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<ParamsOf<'/:a/:b/c/:d'>>().toEqualTypeOf<{ a: string; b: string; d: string }>()
  expectTypeOf<ParamsOf<'/:from-:to'>>().toEqualTypeOf<{ from: string; to: string }>()
  expectTypeOf<ParamsOf<'/:name.json'>>().toEqualTypeOf<{ name: string }>()
  expectTypeOf<ParamsOf<'/:userId2/:$x/:_y'>>().toEqualTypeOf<{ userId2: string; $x: string; _y: string }>()
  expectTypeOf<ParamsOf<':id'>>().toEqualTypeOf<{ id: string }>()
})

test('parameters that may be left out, and that repeat', () => {
  expectTypeOf<ParamsOf<'/user/:id?'>>().toEqualTypeOf<{ id?: string }>()
  expectTypeOf<ParamsOf<'/user/:id?/edit'>>().toEqualTypeOf<{ id?: string }>()
  expectTypeOf<ParamsOf<'/files/:path+'>>().toEqualTypeOf<{ path: string[] }>()
  expectTypeOf<ParamsOf<'/files/:path*'>>().toEqualTypeOf<{ path?: string[] }>()
  expectTypeOf<ParamsOf<'/files/:path*/:name'>>().toEqualTypeOf<{ path?: string[]; name: string }>()
  expectTypeOf<ParamsOf<'/files{/:name}?'>>().toEqualTypeOf<{ name?: string }>()
  expectTypeOf<ParamsOf<'/files{-:part}+'>>().toEqualTypeOf<{ part: string[] }>()
  expectTypeOf<ParamsOf<'/files{-:part}*'>>().toEqualTypeOf<{ part?: string[] }>()
  expectTypeOf<ParamsOf<'/{:name.html}'>>().toEqualTypeOf<{ name: string }>()
})

test('parameters with an expression', () => {
  expectTypeOf<ParamsOf<'/user/:id(\\d+)'>>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<ParamsOf<'/user/:id(\\d+)?'>>().toEqualTypeOf<{ id?: string }>()
  expectTypeOf<ParamsOf<'/user/:ids(\\d+)+/edit'>>().toEqualTypeOf<{ ids: string[] }>()
  expectTypeOf<ParamsOf<'/files/:path(.*)'>>().toEqualTypeOf<{ path: string }>()
  expectTypeOf<ParamsOf<'/:kind(user|post)/:id'>>().toEqualTypeOf<{ kind: string; id: string }>()
  expectTypeOf<ParamsOf<'/:date((\\d+)-(\\d+))?/:id'>>().toEqualTypeOf<{ date?: string; id: string }>()
  expectTypeOf<ParamsOf<'/:text([^)\\]]*)/:id'>>().toHaveProperty('id')
  expectTypeOf<ParamsOf<'/(\\d+)/:id/*'>>().toEqualTypeOf<{ 0: string; id: string; 1: string }>()
})

test('wildcards, by number', () => {
  expectTypeOf<ParamsOf<'*'>>().toEqualTypeOf<{ 0: string }>()
  expectTypeOf<ParamsOf<'**'>>().toEqualTypeOf<{ 0: string }>()
  expectTypeOf<ParamsOf<'*/user/:id'>>().toEqualTypeOf<{ 0: string; id: string }>()
  expectTypeOf<ParamsOf<'/a/*/b/*'>>().toEqualTypeOf<{ 0: string; 1: string }>()
  expectTypeOf<ParamsOf<'/files{/*}?'>>().toEqualTypeOf<{ 0: string }>()
  expectTypeOf<ParamsOf<'/:path*/*'>>().toEqualTypeOf<{ path?: string[]; 0: string }>()
  expectTypeOf<ParamsOf<'http://localhost:*/x'>>().toEqualTypeOf<{ 0: string }>()
  expectTypeOf<ParamsOf<'https://*.example.com/:id'>>().toEqualTypeOf<{ 0: string; id: string }>()
})

test('absolute paths', () => {
  expectTypeOf<ParamsOf<'http://localhost:3000/user/:id'>>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<ParamsOf<'https://:tenant.example.com/:id'>>().toEqualTypeOf<{ tenant: string; id: string }>()
})

test('text that is not a parameter', () => {
  expectTypeOf<ParamsOf<'/users\\:batch'>>().toEqualTypeOf<{}>()
  expectTypeOf<ParamsOf<'/a\\*'>>().toEqualTypeOf<{}>()
  expectTypeOf<ParamsOf<'/v1:5'>>().toEqualTypeOf<{}>()
  expectTypeOf<ParamsOf<'/search?q=:term'>>().toEqualTypeOf<{}>()
  expectTypeOf<ParamsOf<'/user/:id?tab=posts'>>().toEqualTypeOf<{ id: string }>()
  expectTypeOf<ParamsOf<'/:lang?/user/:id?tab=posts'>>().toEqualTypeOf<{ lang?: string; id: string }>()
})

test('a path that is not literal may have any', () => {
  expectTypeOf<ParamsOf<string>>().toEqualTypeOf<PathParams>()
  expectTypeOf<ParamsOf<`${string}/user/:id`>>().toEqualTypeOf<{ id: string }>()
})
