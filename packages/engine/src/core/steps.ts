/**
 * A function that waits only for promises: it yields each promise that it gets, and receives its value, or its error as an
 * exception. An `async` function creates a promise for each call, and its caller waits for another turn of the
 * microtask queue, even if every value is there. A handler matches and answers without a promise in most cases.
 */
export type Steps<Result> = Generator<PromiseLike<unknown>, Result, never>

/**
 * Runs a function that waits only for promises.
 *
 * @returns the result, or a promise of it if the function waits
 * @throws what the function throws before it waits
 */
export function proceed<Result>(steps: Steps<Result>): Result | Promise<Result> {
  const step = steps.next()
  return step.done ? step.value : proceedAsync(steps, step)
}

/**
 * Runs a function that waits only for promises, and returns a promise in any case.
 *
 * @param first the first step, if it was made already
 */
export async function proceedAsync<Result>(
  steps: Steps<Result>,
  first: IteratorResult<PromiseLike<unknown>, Result> = steps.next(),
): Promise<Result> {
  let step = first
  while (!step.done) {
    try {
      step = steps.next((await step.value) as never)
    } catch (error) {
      // A function that threw the error itself has ended, and throws it again.
      step = steps.throw(error)
    }
  }
  return step.value
}
