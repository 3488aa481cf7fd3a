/** A small SMTP server that keeps the mails it gets. It knows just enough of RFC 5321 for a client that sends. */
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** Headers and text as they were sent, with plain line ends. */
  readonly data: string
}

export class SmtpServer {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly mails: ReceivedMail[] = []
  #waiting: (() => void)[] = []

  constructor() {
    this.#server = createServer((socket) => this.#serve(socket))
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((stopped) => this.#server.close(stopped))
  }

  /** The mail with this number, counted from 0, once it has arrived. */
  async mail(place: number): Promise<ReceivedMail> {
    while (this.mails.length <= place) await new Promise<void>((arrived) => this.#waiting.push(arrived))
    return this.mails[place]!
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('close', () => this.#sockets.delete(socket))
    socket.on('error', () => {})
    let text = ''
    let data: string[] | undefined
    let mail = { from: '', to: [] as string[] }
    const say = (line: string) => socket.write(`${line}\r\n`)
    const take = (line: string) => {
      if (data) {
        if (line !== '.') return void data.push(line.replace(/^\./, ''))
        this.mails.push({ ...mail, data: data.join('\n') })
        data = undefined
        mail = { from: '', to: [] }
        for (const arrived of this.#waiting.splice(0)) arrived()
        return say('250 kept')
      }
      const [, address = ''] = /<([^>]*)>/.exec(line) ?? []
      if (/^(EHLO|HELO)\b/i.test(line)) return say('250 smtp.test')
      if (/^MAIL FROM:/i.test(line)) {
        mail.from = address
        return say('250 ok')
      }
      if (/^RCPT TO:/i.test(line)) {
        mail.to.push(address)
        return say('250 ok')
      }
      if (/^DATA$/i.test(line)) {
        data = []
        return say('354 go on')
      }
      if (/^QUIT$/i.test(line)) return void socket.end('221 bye\r\n')
      return say('250 ok')
    }
    say('220 smtp.test')
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
      const lines = text.split('\r\n')
      text = lines.pop()!
      for (const line of lines) take(line)
    })
  }
}
