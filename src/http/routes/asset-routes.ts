/** Files that pages load. */
import { hashOf } from '../response/etag.ts'
import type { Call, Route } from '../routing/router.ts'

/** Path -> content type and content. */
export type Assets = ReadonlyMap<string, { readonly type: string; readonly bytes: Buffer }>

const SHORTEST_VERSION = 8

export function assetRoutes(assets: Assets): Route[] {
  return [...assets].map(([path, { type, bytes }]): Route => {
    const hash = hashOf(bytes)
    const handle = ({ query }: Call) => {
      const version = query.get('v') ?? ''
      // An address with the beginning of the hash never means other bytes.
      const isExact = version.length >= SHORTEST_VERSION && hash.startsWith(version)
      const headers = { 'Cache-Control': isExact ? 'public, max-age=31536000, immutable' : 'public, max-age=3600' }
      return { status: 200, bytes, type, headers }
    }
    return { path, title: path, plain: true, methods: { GET: { unlisted: true, handle } } }
  })
}
