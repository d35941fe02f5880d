import { testBuilds } from '../acceptance/builds.ts'
import { vite } from './vite.ts'

testBuilds(vite)
