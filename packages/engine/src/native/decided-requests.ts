let depth = 0

/** Runs a function that sends a request about which the network has decided: React Native's `fetch` uses `XMLHttpRequest`. */
export function sendDecided<Result>(send: () => Result): Result {
  depth += 1
  try {
    return send()
  } finally {
    depth -= 1
  }
}

/** Returns whether the request that is being created was already decided. */
export function isSendingDecided(): boolean {
  return depth > 0
}
