/** Node's server with our limits. */
import { createServer, type Server } from 'node:http'
import { LIMITS } from '../exchange/wire-limits.ts'

export function makeServer(): Server {
  const server = createServer({
    maxHeaderSize: LIMITS.headerBytes,
    headersTimeout: LIMITS.headersMs,
    requestTimeout: LIMITS.requestMs,
    // Seen to by `connections`, for less than a timer that is moved with each request.
    keepAliveTimeout: 0,
    connectionsCheckingInterval: 1000,
    // Checked in origin.ts, where the refusal is JSON.
    requireHostHeader: false,
    noDelay: true,
    // A request that announces no body has none: nobody need wait for its end.
    optimizeEmptyRequests: true,
  })
  server.maxHeadersCount = LIMITS.headers
  server.maxRequestsPerSocket = 0
  return server
}
