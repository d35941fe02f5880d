import { testRenderedPages } from '../acceptance/rendered-pages.ts'

testRenderedPages(['vite', 'vite-7', 'vite-6'])
