import { withBase } from 'vitepress'
import { defineComponent, h, onBeforeUnmount, onMounted, ref } from 'vue'

type App = typeof import('../../playground/app.ts')

/** The playground. Only this page loads its script. */
export const Playground = defineComponent({
  name: 'Playground',
  setup() {
    const root = ref<HTMLElement>()
    let unmount: (() => void) | undefined
    let isGone = false
    onMounted(async () => {
      const { mountPlayground } = (await import(/* @vite-ignore */ withBase('/playground-files/app.js'))) as App
      if (root.value && !isGone) unmount = mountPlayground(root.value, withBase('/playground-files/frame.html'))
    })
    onBeforeUnmount(() => {
      isGone = true
      unmount?.()
    })
    return () => h('div', { ref: root, class: 'pg' }, 'The playground needs JavaScript.')
  },
})

/** The link below an example that opens it in the playground. */
export const OpenInPlayground = defineComponent({
  name: 'OpenInPlayground',
  props: { state: { type: String, required: true } },
  setup: (props) => () =>
    h(
      'a',
      { class: 'open-in-playground', href: `${withBase('/playground.html')}#${props.state}` },
      'Open in playground',
    ),
})
