import { testBuilds } from '../acceptance/builds.ts'
import { webpack } from './tools.ts'

testBuilds(webpack)
