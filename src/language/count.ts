/** How many there are of something, in words: "1 record", "1,024 records". */
import { inflect } from './inflect.ts'

/** The plural of a noun: "boxes" for "box". Of several words, the last one changes. */
export function plural(noun: string): string {
  return noun.replace(/\S+$/, (last) => inflect(last, 'NNS'))
}

export function counted(count: number, one: string, many: string = plural(one)): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
