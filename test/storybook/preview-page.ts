import type { Frame, Page } from 'playwright'

/** The preview of a Storybook, which needs no manager: tests send the manager's messages. */
export interface PreviewPage {
  readonly page: Page | Frame
  /** Opens the page with a story, or a docs page. */
  open(id: string): Promise<void>
  /** Shows another story on the same page, like a click in the sidebar. */
  select(id: string): Promise<void>
  /** Emits an event on the channel. */
  emit(event: string, payload: unknown): Promise<void>
  /** Waits until a story is rendered, and has played. Called before or after that. */
  rendered(id: string): Promise<void>
  /** Returns the text of the story. */
  text(): Promise<string>
  /** Returns the texts of a docs page's stories by their ids, including those in frames. */
  docs(): Promise<Record<string, string>>
  /** Whether the page is still the one that was marked by `mark`. */
  mark(): Promise<void>
  isMarked(): Promise<boolean>
}

const viewModeOf = (id: string): 'docs' | 'story' => (id.endsWith('--docs') ? 'docs' : 'story')

/** @param page a page, or the manager's frame */
export function openPreview(page: Page | Frame, root: string): PreviewPage {
  const emit = async (event: string, payload: unknown): Promise<void> => {
    await page.evaluate(
      ([name, value]) => {
        const { __STORYBOOK_ADDONS_CHANNEL__: channel } = globalThis as unknown as {
          __STORYBOOK_ADDONS_CHANNEL__: { emit(name: unknown, value: unknown): void }
        }
        channel.emit(name, value)
      },
      [event, payload] as const,
    )
  }
  return {
    page,
    emit,
    async open(id) {
      await page.goto(`${root}iframe.html?viewMode=${viewModeOf(id)}&id=${id}`)
      await page.waitForFunction(() => '__STORYBOOK_ADDONS_CHANNEL__' in globalThis)
    },
    select: (storyId) => emit('setCurrentStory', { storyId, viewMode: viewModeOf(storyId) }),
    async rendered(id) {
      await page.waitForFunction((storyId) => {
        const { __STORYBOOK_PREVIEW__: running } = globalThis as unknown as {
          __STORYBOOK_PREVIEW__?: { currentRender?: { id: string; phase?: string } }
        }
        const { currentRender } = running ?? {}
        return currentRender?.id === storyId && /^(?:completed|finished)$/.test(currentRender.phase ?? '')
      }, id)
    },
    text: () => page.locator('#storybook-root').innerText(),
    async docs() {
      const blocks = page.locator('#storybook-docs .sb-story')
      const shown: Record<string, string> = {}
      for (const block of await blocks.all()) {
        const frame = block.locator('iframe')
        const isFramed = (await frame.count()) > 0
        const key = ((await block.getAttribute('id')) ?? '').replace(/^story--|--primary$|-inner$/g, '')
        shown[key] = isFramed
          ? `framed: ${await frame.contentFrame().locator('#storybook-root').innerText()}`
          : await block.innerText()
      }
      return shown
    },
    async mark() {
      await page.evaluate(() => Object.assign(globalThis, { isMarked: true }))
    },
    isMarked: () => page.evaluate(() => 'isMarked' in globalThis),
  }
}
