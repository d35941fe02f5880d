import { testCutStreams } from '../acceptance/cut-streams.ts'

testCutStreams()
