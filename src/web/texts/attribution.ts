/** Who a text is from, as pages and pictures say it below the text. */
import { after } from '../../language/index.ts'
import type { Shown } from '../kinds/kind.ts'

/**
 * "Oscar Wilde", and "after Oscar Wilde" for a text that is told with other words than the author's. Undefined if the
 * record names nobody, and for a fortune, whose text names its origin itself.
 */
export function attributionOf(record: Shown, isTurned: boolean): string | undefined {
  const source: string = record['src'] ?? ''
  if (source === '') return undefined
  return isTurned ? after(source) : source
}
