import { provideHttpClient } from '@angular/common/http'
import { bootstrapApplication } from '@angular/platform-browser'

import { BoatList } from './app/boat-list'

await bootstrapApplication(BoatList, { providers: [provideHttpClient()] })
