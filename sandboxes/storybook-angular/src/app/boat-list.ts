import { HttpClient, type HttpErrorResponse } from '@angular/common/http'
import { Component, inject, signal } from '@angular/core'

interface Boat {
  readonly id: string
  readonly name: string
}

/** A list of boats, from the API. */
@Component({
  selector: 'app-boat-list',
  template: `
    @if (failure(); as message) {
      <p role="alert">{{ message }}</p>
    } @else {
      <ul>
        @for (boat of boats(); track boat.id) {
          <li>{{ boat.name }}</li>
        } @empty {
          <li>Loading boats…</li>
        }
      </ul>
    }
  `,
})
export class BoatList {
  readonly boats = signal<readonly Boat[]>([])
  readonly failure = signal('')

  constructor() {
    inject(HttpClient)
      .get<Boat[]>('/api/boats')
      .subscribe({
        next: (boats) => this.boats.set(boats),
        error: ({ error }: HttpErrorResponse) => this.failure.set((error as { message: string }).message),
      })
  }
}
