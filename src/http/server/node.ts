/** Node's server with our limits. */
import type { Server } from 'node:http'
import { http } from '../../engine/index.ts'
import { LIMITS } from '../exchange/wire-limits.ts'

export function makeServer(): Server {
  const server = http.createServer({
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: LIMITS.headersMs,
    requestTimeout: LIMITS.requestMs,
    // `connections` does this, at a lower cost than a timer that moves with each request.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: 1000,
    // Checked in origin.ts, where the error is JSON.
    requireHostHeader: false,
    noDelay: true,
    // A request that announces no body has none, so nobody needs to wait for its end.
    optimizeEmptyRequests: true,
  })
  server.maxHeadersCount = LIMITS.headers
  server.maxRequestsPerSocket = 0
  return server
}
