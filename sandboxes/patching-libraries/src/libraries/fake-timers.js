import FakeTimers from '@sinonjs/fake-timers'

/** Also replaces `queueMicrotask` and `performance`. The clock stands still. */
export function install() {
  FakeTimers.install()
}
