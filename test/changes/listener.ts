/** A client of the live stream of changes, which shows the events as they arrive. */
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'

export interface StreamEvent {
  readonly event: string
  readonly id?: string
  readonly data: any
}

export interface Listening {
  readonly query?: string
  readonly lastEventId?: string | undefined
  readonly headers?: Record<string, string>
}

export class Listener {
  readonly headers: IncomingHttpHeaders
  readonly status: number
  /** Those that nobody has taken yet. */
  readonly events: StreamEvent[] = []
  /** The id of the last event. */
  lastId: string | undefined
  retry: number | undefined
  comments = 0
  /** Resolves when the stream has ended, in whatever way. */
  readonly ended: Promise<void>
  readonly #reply: IncomingMessage
  #isOver = false
  #rest = ''
  #onNews: () => void = () => {}

  private constructor(reply: IncomingMessage) {
    this.#reply = reply
    this.headers = reply.headers
    this.status = reply.statusCode!
    reply.setEncoding('utf8')
    reply.on('data', (text: string) => this.#hear(text))
    reply.on('error', () => {})
    this.ended = new Promise((ended) => {
      reply.once('close', () => {
        this.#isOver = true
        this.#onNews()
        ended()
      })
    })
  }

  static open(port: number, { query = '', lastEventId, headers = {} }: Listening = {}): Promise<Listener> {
    const sent = {
      accept: 'text/event-stream',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
      ...headers,
    }
    const way = { host: '127.0.0.1', port, path: `/api/changes/${query}`, headers: sent, agent: false }
    return new Promise((opened, failed) => get(way, (reply) => opened(new Listener(reply))).on('error', failed))
  }

  /** The next event, or the next one with this name: those before it are dropped. */
  async next(name?: string): Promise<StreamEvent> {
    for (;;) {
      const event = this.events.shift()
      if (event && (name === undefined || event.event === name)) return event
      if (event) continue
      await this.heard()
    }
  }

  /** Something has arrived. */
  async heard(): Promise<void> {
    if (this.#isOver) throw new Error('the stream has ended')
    await new Promise<void>((news) => (this.#onNews = news))
  }

  /** The entries of this many changes. */
  async changes(count: number): Promise<any[]> {
    const entries: any[] = []
    while (entries.length < count) entries.push((await this.next('change')).data)
    return entries
  }

  /** The entries up to this number, if the stream says that it has reached it. */
  async upTo(seq: number): Promise<any[]> {
    const entries: any[] = []
    for (let reached = 0; reached < seq; ) {
      const { event, data } = await this.next()
      if (event === 'change') entries.push(data)
      reached = event === 'change' ? data.seq : data.next
    }
    return entries
  }

  /** Reads nothing from now on. */
  pause(): void {
    this.#reply.pause()
  }

  resume(): void {
    this.#reply.resume()
  }

  close(): void {
    this.#reply.destroy()
  }

  #hear(text: string): void {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop()!
    for (const block of blocks) this.#read(block)
    this.#onNews()
  }

  #read(block: string): void {
    const fields = new Map<string, string>()
    for (const line of block.split('\n')) {
      const [, name, value] = /^([a-z]*):? ?(.*)$/.exec(line)!
      fields.set(name!, value!)
    }
    if (fields.has('')) this.comments++
    if (fields.has('retry')) this.retry = Number(fields.get('retry'))
    const [event, id, data] = [fields.get('event'), fields.get('id'), fields.get('data')]
    if (id !== undefined) this.lastId = id
    if (event !== undefined && data !== undefined) {
      this.events.push({ event, ...(id === undefined ? {} : { id }), data: JSON.parse(data) })
    }
  }
}
