import { testPromptBook } from '../../../test/acceptance/prompt-book.ts'

testPromptBook('vite-svelte', 'src/App.svelte')
