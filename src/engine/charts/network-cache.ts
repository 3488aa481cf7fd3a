/** The network of each resource: it is expensive to make, and stays the same until a record of the resource is written. */
import type { AnyResource } from '../../declare/index.ts'
import { generationOf, type Moment } from '../../store/index.ts'
import type { ChartNumbers } from './chart-answer.ts'

interface Kept {
  readonly generation: number
  readonly numbers: Promise<ChartNumbers>
}

export class NetworkCache {
  readonly #kept = new Map<string, Kept>()

  get({ name }: AnyResource, moment: Moment): Promise<ChartNumbers> | undefined {
    const kept = this.#kept.get(name)
    return kept?.generation === generationOf(moment, name).number ? kept.numbers : undefined
  }

  keep({ name }: AnyResource, moment: Moment, numbers: Promise<ChartNumbers>): void {
    this.#kept.set(name, { generation: generationOf(moment, name).number, numbers })
  }
}
