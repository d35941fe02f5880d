import { testRemote } from '../acceptance/remote.ts'
import { vite } from './vite.ts'

testRemote(vite)
