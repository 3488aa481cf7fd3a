/**
 * Encrypted backups, in the format of the program age (https://age-encryption.org), which can read them too. Files are
 * encrypted and decrypted as streams. The library is loaded when it is needed.
 */
import { createWriteStream, readFileSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { piecesOf, streamOf } from './age-stream.ts'
import { BadBackup } from './format.ts'

export interface BackupKey {
  /** Who can decrypt: `age1...` */
  readonly recipients: readonly string[]
  /** Secret keys, `AGE-SECRET-KEY-1...`; without one, this machine can encrypt and not decrypt. */
  readonly identities: readonly string[]
}

const OTHERS_READ = 0o077
const OTHERS_WRITE = 0o022

/** A file as age-keygen writes it, or lines of recipients. Throws if others could use or change the key. */
export async function readBackupKey(path: string): Promise<BackupKey> {
  const { mode } = statSync(path)
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const identities = lines.filter((line) => line.startsWith('AGE-SECRET-KEY-'))
  const recipients = lines.filter((line) => line.startsWith('age1'))
  // The line may be a secret with a mistake in it, so it is not repeated.
  if (lines.length === 0 || identities.length + recipients.length < lines.length) {
    throw new BadBackup(`${path} has no key: it needs lines with age1... or AGE-SECRET-KEY-1..., as age-keygen writes`)
  }
  const isSecret = identities.length > 0
  if (process.platform !== 'win32' && (mode & (isSecret ? OTHERS_READ : OTHERS_WRITE)) !== 0) {
    const does = isSecret ? 'read or changed' : 'changed'
    throw new BadBackup(`the key ${path} can be ${does} by others: chmod ${isSecret ? '600' : '644'} ${path}`)
  }
  try {
    const { Encrypter, identityToRecipient } = await import('age-encryption')
    const own = await Promise.all(identities.map((each) => identityToRecipient(each)))
    const all = [...recipients, ...own]
    const encrypter = new Encrypter()
    for (const each of all) encrypter.addRecipient(each)
    return { recipients: all, identities }
  } catch {
    throw new BadBackup(`${path} has a key that is not valid: make another one with age-keygen`)
  }
}

/** The new file is on disk when this resolves, and only its owner can read it. */
export async function encryptFile(from: string, to: string, { recipients }: BackupKey): Promise<void> {
  const { Encrypter } = await import('age-encryption')
  const encrypter = new Encrypter()
  for (const recipient of recipients) encrypter.addRecipient(recipient)
  const encrypted = await encrypter.encrypt(streamOf(from))
  await pipeline(piecesOf(encrypted), createWriteStream(to, { flags: 'wx', mode: 0o600, flush: true }))
}
