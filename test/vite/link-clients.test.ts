import { testLinkClients } from '../acceptance/link-clients.ts'

testLinkClients()
