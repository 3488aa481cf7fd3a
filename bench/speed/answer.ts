/** A response as it came over the wire, for peers that must send the same bytes and headers. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Wire } from './wire.ts'

export interface KeptAnswer {
  /** Name, value, name, value: without those that Node's server sets itself. */
  readonly lines: string[]
  readonly unchanged: string[]
  readonly etag: string
  /** In base64. */
  readonly body: string
}

const OWN = /^(date|connection|keep-alive)$/i

export async function ask(base: string, path: string): Promise<{ head: string; body: Buffer }> {
  const wire = await Wire.open(base)
  const { status, head, body } = await wire.ask(wire.request('GET', path))
  wire.close()
  if (status !== 200) throw new Error(`${base}${path} answers ${status}: ${body}`)
  return { head, body: Buffer.from(body) }
}

/** The file with the response. */
export async function keepAnswer(base: string, path: string, folder: string): Promise<string> {
  const { head, body } = await ask(base, path)
  const pairs = head
    .split('\r\n')
    .slice(1)
    .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()])
    .filter(([name]) => !OWN.test(name!))
  const kept: KeptAnswer = {
    lines: pairs.flat() as string[],
    unchanged: pairs.filter(([name]) => name!.toLowerCase() !== 'content-length').flat() as string[],
    etag: pairs.find(([name]) => name!.toLowerCase() === 'etag')?.[1] ?? '',
    body: body.toString('base64'),
  }
  const file = join(folder, `${path.replaceAll(/\W+/g, '-')}.json`)
  writeFileSync(file, JSON.stringify(kept))
  return file
}
