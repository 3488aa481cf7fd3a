/** A record written as JSON. */
import { isObject, type Json, type JsonObject } from '../../declare/index.ts'
import { messageOf } from '../../store/index.ts'
import { Unreadable } from '../item.ts'

export const DEEPEST = 64

export function recordOf(text: string): JsonObject | Unreadable {
  let value: Json
  try {
    value = JSON.parse(text)
  } catch (error) {
    return new Unreadable(`not JSON: ${shortened(messageOf(error))}`)
  }
  if (!isObject(value)) return new Unreadable('not an object')
  if (isDeeper(value, DEEPEST)) return new Unreadable(`nested deeper than ${DEEPEST} levels`)
  return value
}

/** Lines and columns are removed: they count within the record, and a reader would take them for the file's. */
function shortened(message: string): string {
  return message.replace(/ \(line \d+ column \d+\)$/, '').replaceAll(/\s+/g, ' ')
}

function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
