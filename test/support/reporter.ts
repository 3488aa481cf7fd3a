/** A test reporter that writes one line per finished test: its name, and whether it passed. */
import type { TestEvent } from 'node:test/reporters'

export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const skipped = Boolean(data.skip || data.todo)
    yield `${JSON.stringify({ name: data.name, passed: type === 'test:pass' && !skipped, skipped })}\n`
  }
}
