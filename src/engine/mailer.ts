/** Sends mail through the operator's SMTP server. Nobody waits for it, and it has a time limit. */
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
  #underWay = 0

  constructor({ url, from }: MailSettings) {
    this.#url = url
    this.#from = from
  }

  async send({ to, subject, text }: Mail): Promise<void> {
    // Most servers send no mail, and the package is large.
    const { createTransport } = await import('nodemailer')
    if (this.#underWay >= MOST_UNDER_WAY)
      throw new Error(`a mail was not sent: ${MOST_UNDER_WAY} others are on their way`)
    this.#underWay++
    const transport = createTransport({
      url: this.#url,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, failed) => {
      timer = setTimeout(() => failed(new Error(`a mail was not sent within ${WHOLE_MS / 1000} seconds`)), WHOLE_MS)
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
    } finally {
      clearTimeout(timer)
      transport.close()
      this.#underWay--
    }
  }
}
