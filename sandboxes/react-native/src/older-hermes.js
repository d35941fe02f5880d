/** What newer versions of Hermes have, and timers: those of this command ignore delays. */
;(function () {
  for (const prototype of [Array.prototype, String.prototype]) {
    Object.defineProperty(prototype, 'at', {
      value: function (index) {
        return this[index < 0 ? this.length + index : index]
      },
    })
  }
  Promise.allSettled = function (promises) {
    const settle = (promise) =>
      Promise.resolve(promise).then(
        (value) => ({ status: 'fulfilled', value }),
        (reason) => ({ status: 'rejected', reason }),
      )
    return Promise.all(promises.map(settle))
  }

  const soon = globalThis.setTimeout
  let queue = []
  let now = 0
  let lastId = 0
  let isRunning = false
  globalThis.setTimeout = function (act, delay) {
    lastId += 1
    queue.push({ id: lastId, at: now + (delay || 0), act })
    run()
    return lastId
  }
  globalThis.clearTimeout = function (id) {
    queue = queue.filter((timer) => timer.id !== id)
  }
  function run() {
    if (isRunning) return
    isRunning = true
    soon(function () {
      isRunning = false
      queue.sort((one, other) => one.at - other.at || one.id - other.id)
      const timer = queue.shift()
      if (!timer) return
      now = timer.at
      timer.act()
      run()
    })
  }
})()
