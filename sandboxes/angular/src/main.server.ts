import { provideHttpClient } from '@angular/common/http'
import { bootstrapApplication, type BootstrapContext } from '@angular/platform-browser'
import { provideServerRendering } from '@angular/platform-server'

import { App } from './app/app'

const bootstrap = (context: BootstrapContext) =>
  bootstrapApplication(App, { providers: [provideServerRendering(), provideHttpClient()] }, context)

export default bootstrap
