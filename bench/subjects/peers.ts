/** The used interfaces of peers that are not like MSW. */
export type Nock = (
  base: string,
  options?: { allowUnmocked: boolean },
) => { persist(): { get(path: string): { reply(status: number, body: object): unknown } } }

export interface FetchMock {
  mockGlobal(): FetchMock
  route(url: string, response: object): FetchMock
}

export interface Undici {
  MockAgent: new () => {
    get(origin: string): {
      intercept(options: { path: string; method: string }): {
        reply(status: number, body: object, options: { headers: Record<string, string> }): { persist(): unknown }
      }
    }
  }
  readonly setGlobalDispatcher: (dispatcher: object) => void
}
