/**
 * The code of a page that creates a web worker which creates one itself. The first message of the outer one says that the constructor of the
 * inner one has returned.
 *
 * On a busy machine, this constructor never returns in about 1 of 50 web workers of Firefox, also in one that consists of this line
 * ([decision 472](../../docs/decisions/0472-web-workers-of-web-workers-in-firefox.md)). Then another outer web worker is created.
 */
export const startNested = `async (create) => {
  for (;;) {
    const outer = create()
    const isCreated = await new Promise((resolve) => {
      outer.onmessage = () => resolve(true)
      setTimeout(resolve, 10_000, false)
    })
    if (isCreated) return outer
    outer.terminate()
  }
}`

/** The first line of an outer web worker: the constructor that may not return does not contain code of the product. */
export const checkConstructor = `if (!/native code/.test(Worker)) throw new Error('Worker is replaced.')`
