import { HttpClient } from '@angular/common/http'
import { Component, inject, signal } from '@angular/core'

interface Tide {
  readonly at: string
  readonly meters: number
}

@Component({
  selector: 'app-root',
  template: `
    <h1>Tides</h1>
    <ul>
      @for (tide of tides(); track tide.at) {
        <li>{{ tide.at }}: {{ tide.meters }} m</li>
      }
    </ul>
  `,
})
export class App {
  readonly tides = signal<readonly Tide[]>([])

  constructor() {
    inject(HttpClient)
      .get<Tide[]>('/api/tides')
      .subscribe((tides) => this.tides.set(tides))
  }
}
