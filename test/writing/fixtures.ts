/** Records that the tests of writing refer to, made over HTTP by gus. */
import assert from 'node:assert/strict'
import type { Site } from '../support/site.ts'

export type Json = any

/** The record that a POST created; the request must have succeeded. */
export async function make(site: Site, collection: string, body: object, as = 'gus'): Promise<Json> {
  const reply = await site.ask(`/api/${collection}/`, { method: 'POST', json: body, as })
  assert.equal(reply.status, 201, reply.text)
  return reply.json
}

export async function read(site: Site, path: string): Promise<Json> {
  const reply = await site.ask(path)
  assert.equal(reply.status, 200, reply.text)
  return reply.json
}

export async function etagOf(site: Site, path: string): Promise<string> {
  return (await site.ask(path)).headers.etag!
}

/** All records of a collection, in list order. */
export async function all(site: Site, collection: string): Promise<Json[]> {
  return (await read(site, `/api/${collection}/?page_size=1000`)).results
}

export const TREE = { name: 'tree', mode: 'part', p1: 'root', p2: 'trunk', p3: 'crown' }
export const RIVER = { name: 'river', mode: 'step', p1: 'spring', p2: 'mouth' }
export const CAT = { name: 'cat', e: 'purr', r: 'hiss', o: 'fur', s: 'nap' }
export const DOG = { name: 'dog', e: 'bark', r: 'whine', o: 'bone', s: 'walk' }
