import { testPromptBook } from '../../../test/acceptance/prompt-book.ts'

testPromptBook('vite-vue', 'src/App.vue')
