/**
 * Node's test runner follows every promise. It needs this while files declare their tests, to know what each belongs to;
 * later it would only tell of which test an uncaught error is, for a tenth of the processor time. Such an error fails the
 * run in any case.
 */
import { type AsyncHook, createHook } from 'node:async_hooks'

const started: AsyncHook[] = []
const kind: AsyncHook = Object.getPrototypeOf(createHook({}))
const { enable } = kind
kind.enable = function (this: AsyncHook) {
  started.push(this)
  return enable.call(this)
}

/** When all files of the process have declared their tests. */
export function stopTracking(): void {
  for (const hook of started) hook.disable()
}
