/** Runs the start of a request, in the stack of the code that makes it. */
export type AroundCalls = <Result>(start: () => Result) => Result

let around: AroundCalls | undefined

/**
 * Sets the function that runs the start of each request of this process. A test runner stores the stack in an async
 * context, which it reads if no handler matches the request.
 */
export function setAroundCalls(next: AroundCalls | undefined): void {
  around = next
}

/** Starts a request. */
export function startCall<Result>(start: () => Result): Result {
  return around ? around(start) : start()
}
