/** Addresses, mail addresses, names of accounts, #tags, paths and HTML tags: a changed word in one would break it. */

/** Between white space, after opening quotes and brackets. */
const ADDRESS =
  /^(?:\w[\w+.-]*:\/\/|www\.|[#@~]\p{L}|~?\/+\p{L}|\.{1,2}\/|\p{L}:\\|[\w+.-]+@\w|[\w-]+(?:\.[\w-]+)*\.(?:com|edu|gov|info|io|net|org)(?:$|[^\p{L}\p{N}]))/iu
const OPENING = /^[^\p{L}\p{N}#@~./]+/u
const HTML = /<[a-z/!][^<>]*>|&#?\w+;/gi

/** No address is without one of these. */
const SIGN = /[#/@~\\<&]|\w\.\w/

export interface Stretch {
  readonly start: number
  readonly end: number
}

/** In the order of the text. */
export function addressesIn(body: string): Stretch[] {
  if (!SIGN.test(body)) return []
  const stretches = Array.from(body.matchAll(HTML), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }))
  for (const { 0: chunk, index } of body.matchAll(/\S+/g)) {
    if (chunk.length > 3 && ADDRESS.test(chunk.replace(OPENING, ''))) {
      stretches.push({ start: index, end: index + chunk.length })
    }
  }
  return stretches.sort((a, b) => a.start - b.start)
}
