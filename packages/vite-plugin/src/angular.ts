import { loadCreateBuilder } from './angular/angular-build.ts'
import { serve } from './angular/dev-server.ts'

/** The builder that `angular.json` names: `"builder": "@understudy/vite-plugin:dev-server"`. */
const builder: object = loadCreateBuilder(process.cwd())(serve)

export default builder
