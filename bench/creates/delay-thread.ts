/** The thread of the delaying proxy. It tells its port. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'

export interface DelayedTarget {
  readonly hostname: string
  readonly port: number
  readonly ms: number
}

const { hostname, port, ms } = workerData as DelayedTarget

function pass(from: Socket, to: Socket): void {
  from.setNoDelay(true)
  from.on('data', (data) => setTimeout(() => to.write(data), ms))
  from.on('error', () => {})
  // What was sent before arrives first.
  from.on('close', () => setTimeout(() => to.destroy(), ms))
}

const server = createServer((client) => {
  const database = connect(port, hostname)
  pass(client, database)
  pass(database, client)
})
await once(server.listen(0, '127.0.0.1'), 'listening')
parentPort?.postMessage((server.address() as AddressInfo).port)
