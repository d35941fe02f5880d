import { defineComponent, h, type VNode } from 'vue'

/** A piece of code with the class of its color, which the playground's editor uses, too. */
type Piece = readonly [text: string, color?: 'comment' | 'function' | 'string' | 'type']

const lines: readonly (readonly Piece[])[] = [
  [['// src/mocks/handlers.ts', 'comment']],
  [['http.'], ['get', 'function'], ['('], ["'/api/user/:id'", 'string'], [', ({ params }) =>']],
  [['  '], ['HttpResponse', 'type'], ['.'], ['json', 'function'], ['({']],
  [['    id: params.id,']],
  [['    name: '], ["'Ada'", 'string'], [',']],
  [['  }),']],
  [[')']],
]

const toSpan = ([text, color]: Piece): VNode => h('span', color && { class: `pg-${color}` }, text)

/** The picture of the start page: a handler, and the request that it answers. */
export const HeroCode = defineComponent({
  name: 'HeroCode',
  setup: () => () =>
    h('figure', { class: 'hero-code', role: 'img', 'aria-label': 'A handler, and the request that it answers' }, [
      h('pre', [
        h(
          'code',
          lines.flatMap((line) => [...line.map(toSpan), '\n']),
        ),
      ]),
      h('figcaption', [
        h('b', 'GET'),
        h('span', { class: 'hero-path' }, '/api/user/5'),
        h('span', { class: 'hero-status' }, '200 OK'),
        h('code', '{"id":"5","name":"Ada"}'),
      ]),
    ]),
})
