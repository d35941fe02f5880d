import { provideHttpClient } from '@angular/common/http'
import { bootstrapApplication } from '@angular/platform-browser'

import { App } from './app/app'

// A request of a module, before Angular starts.
document.documentElement.dataset['harbor'] = await (await fetch('/api/harbor')).text()

await bootstrapApplication(App, { providers: [provideHttpClient()] })
