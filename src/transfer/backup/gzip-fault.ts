/** What the thread of gunzip-worker.ts says about a file. The thread loads this, so it imports nothing. */

/** What the thread sends: the next piece, or how the file ended. */
export type Unpacked = { readonly piece: Uint8Array } | 'end' | Fault

type Fault = 'cut short' | 'damaged' | 'encrypted with another key'

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

export function faultOf(error: unknown): Fault {
  if (error instanceof Error && error.message.startsWith('no identity matched')) return 'encrypted with another key'
  return hasCode(error, 'Z_BUF_ERROR') ? 'cut short' : 'damaged'
}
