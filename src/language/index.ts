/** The door to the language library: English and qode, without the server. */
export { type AlignedToken, type Alignment, align } from './align.ts'
export {
  depth,
  type Grammar,
  type Piece,
  parse,
  type Slot,
  subs,
  type Text,
  type Token,
  tokens,
  width,
  write,
  writeToken,
} from './qode.ts'
