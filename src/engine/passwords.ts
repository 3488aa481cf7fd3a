/** Passwords: argon2id, and the rules for a new one. */
import { hash, verify } from '@node-rs/argon2'
import { isCommonPassword } from './common-passwords.ts'
import { HashQueue } from './hash-queue.ts'

const LEAST = 10
const MOST = 1000

// OWASP's first recommendation for argon2id.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const queue = new HashQueue()

export function hashPassword(password: string): Promise<string> {
  return queue.run(() => hash(password, COST))
}

/** No account has a longer password. */
export function isPossiblePassword(password: string): boolean {
  return password.length <= MOST
}

/** Takes the same time whether or not there is a hash, so that it does not reveal which accounts exist. */
export async function checkPassword(password: string, known: string | undefined): Promise<boolean> {
  const hashed = known || (await standIn())
  const right = await queue.run(() => verify(hashed, password).catch(() => false))
  return right && hashed === known
}

let hashOfNobody: Promise<string> | undefined

function standIn(): Promise<string> {
  // Once, and outside the queue, because a full queue must not be remembered.
  hashOfNobody ??= hash('nobody has this password', COST)
  return hashOfNobody
}

/** What is wrong with a new password; empty if nothing is. */
export function faultsOfPassword(password: string, name: string): string[] {
  if (!isPossiblePassword(password)) return [`Ensure this field has no more than ${MOST} characters.`]
  const faults: string[] = []
  const isShort = [...password].length < LEAST
  if (isShort) faults.push(`This password is too short. It must contain at least ${LEAST} characters.`)
  const isName = password.toLowerCase() === name.toLowerCase()
  if (isName) faults.push('The password is the same as the username.')
  // A short password need not be looked up, but one repeated character is still worth reporting.
  const isCommon = isShort ? /^(.)\1*$/su.test(password) : !isName && isCommonPassword(password, name)
  if (isCommon) faults.push('This password is too common.')
  return faults
}
