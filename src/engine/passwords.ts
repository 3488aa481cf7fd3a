/** Passwords: argon2id, and the rules a new one has to meet. */
import { hash, verify } from '@node-rs/argon2'
import { HashQueue } from './hash-queue.ts'

const LEAST = 10
const MOST = 1000

// OWASP's first recommendation for argon2id.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** The commonest passwords that are long enough to pass the rule of length. */
const COMMON: ReadonlySet<string> = new Set(
  `1234567890 12345678910 0123456789 0987654321 1111111111 0000000000 1212121212 1234512345 123456789a 123456789q
   1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc qwertyuiop qwerty1234 qwerty12345 qwerty123456 qwertyuiop123 qazwsxedcrfv
   asdfghjkl1 asdfghjkl123 zxcvbnm123 password12 password123 password1234 password12345 password123456 passw0rd123
   p@ssw0rd123 passwordpassword iloveyou12 iloveyou123 iloveyou1234 letmein123 letmein1234 welcome123 welcome1234
   administrator administrator1 admin12345 admin123456 changeme123 superman123 sunshine123 princess123 football123
   baseball123 basketball chocolate1 liverpool1 manchester michelle123 jennifer123 elizabeth1 abcdefghij abcd123456
   abc1234567 a123456789 aa12345678 q1w2e3r4t5 qweasdzxc123 trustno1234 starwars123 dragon12345 monkey12345
   whatever123 computer123 internet123 samsung123 blink182182 cheesecake strawberry butterfly1 whitehorse
   correcthorsebatterystaple nymdex1234 nymdexnymdex`.split(/\s+/),
)

const queue = new HashQueue()

export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password, COST))
}

/** A longer password belongs to nobody. */
export function isPossiblePassword(password: string): boolean {
  return password.length <= MOST
}

/** Takes the same time whether or not there is a hash, so that it does not tell which accounts exist. */
export async function checkPassword(password: string, known: string | undefined): Promise<boolean> {
  const hashed = known || (await standIn())
  const right = await queue.run(() => verify(hashed, password).catch(() => false))
  return right && hashed === known
}

let hashOfNobody: Promise<string> | undefined

function standIn(): Promise<string> {
  hashOfNobody ??= hashPassword('nobody has this password')
  return hashOfNobody
}

/** What is wrong with a new password; nothing when it may be used. */
export function faultsOfPassword(password: string, name: string): string[] {
  const faults: string[] = []
  const folded = password.toLowerCase()
  if ([...password].length < LEAST) {
    faults.push(`This password is too short. It must contain at least ${LEAST} characters.`)
  }
  if (password.length > MOST) faults.push(`Ensure this field has no more than ${MOST} characters.`)
  if (folded === name.toLowerCase()) faults.push('The password is the same as the username.')
  if (COMMON.has(folded) || /^(.)\1*$/u.test(folded)) faults.push('This password is too common.')
  return faults
}
