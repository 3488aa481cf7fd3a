/** A test reporter that writes one line per finished test: its name, whether it passed, and how long it took. */
import type { TestEvent } from 'node:test/reporters'

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const skipped = Boolean(data.skip || data.todo)
    const passed = type === 'test:pass' && !skipped
    yield `${JSON.stringify({ name: data.name, passed, skipped, milliseconds: data.details.duration_ms })}\n`
  }
}
