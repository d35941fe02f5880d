import { testHandlersRecreated } from '../acceptance/handlers-recreated.ts'
import { vite } from './vite.ts'

testHandlersRecreated(vite)
