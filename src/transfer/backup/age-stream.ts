/** Decrypts a file of age as a stream. The thread that unpacks backups loads this, so it imports little. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'

/** What every encrypted file begins with. */
export const AGE_HEADER = 'age-encryption.org/v1\n'

/** Throws if no identity fits. */
export async function decryptedStream(path: string, identities: readonly string[]): Promise<Readable> {
  const { Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  for (const identity of identities) decrypter.addIdentity(identity)
  return Readable.from(piecesOf(await decrypter.decrypt(streamOf(path))))
}

/** The library takes streams of the web, whose types differ from those of Node. */
export function streamOf(path: string): ReadableStream<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = createReadStream(path)[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return?.()
    },
  })
}

export async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}
