import { testEarlyClients } from '../acceptance/early-clients.ts'
import { vite } from './vite.ts'

testEarlyClients(vite)
