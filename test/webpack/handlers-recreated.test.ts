import { testHandlersRecreated } from '../acceptance/handlers-recreated.ts'
import { rspack, webpack } from './tools.ts'

testHandlersRecreated(webpack)
testHandlersRecreated(rspack)
