import { testUnusualPages } from '../acceptance/unusual-pages.ts'
import { vite } from './vite.ts'

testUnusualPages(vite)
