/** Sends mail through the operator's SMTP server. Nobody waits for it, and it has a time limit. */
import { Socket } from 'node:net'

export interface MailSettings {
  /** smtp://user:password@host:587 or smtps://... */
  readonly url: string
  /** The sender: an address, maybe with a name. */
  readonly from: string
}

export interface Mail {
  /** One address, which has been checked. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

const CONNECT_MS = 10_000
const SILENCE_MS = 20_000
const WHOLE_MS = 60_000
/** More than these at a time are not sent: the server is down, or somebody floods it. */
const MOST_UNDER_WAY = 20

export class Mailer {
  readonly #from: string
  readonly #url: string
  readonly #wholeMs: number
  #underWay = 0

  /** `wholeMs` is the limit for a mail. Tests use a small number. */
  constructor({ url, from }: MailSettings, wholeMs = WHOLE_MS) {
    this.#url = url
    this.#from = from
    this.#wholeMs = wholeMs
  }

  async send({ to, subject, text }: Mail): Promise<void> {
    // Most servers send no mail, and the package is large.
    const { createTransport } = await import('nodemailer')
    if (this.#underWay >= MOST_UNDER_WAY)
      throw new Error(`a mail was not sent: ${MOST_UNDER_WAY} others are on their way`)
    this.#underWay++
    const socket = new Socket()
    const transport = createTransport({
      url: this.#url,
      socket,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, failed) => {
      const late = new Error(`a mail was not sent within ${this.#wholeMs / 1000} seconds`)
      timer = setTimeout(() => failed(late), this.#wholeMs)
      timer.unref()
    })
    try {
      await Promise.race([
        transport.sendMail({
          from: this.#from,
          to: { name: '', address: to },
          subject,
          text,
          // No other program should answer it.
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
        tooLate,
      ])
    } catch (error) {
      // The transport leaves a connection open on which something comes now and then.
      socket.destroy()
      throw error
    } finally {
      clearTimeout(timer)
      transport.close()
      this.#underWay--
    }
  }
}
