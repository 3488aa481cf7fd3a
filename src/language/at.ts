/** Reads an index that is known to be in the list. It throws where `list[index]` would return undefined. */
export function itemAt<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new RangeError(`there is no item ${index} in a list of ${list.length}`)
  return found
}

/** The same for numbers, in arrays of any type. */
export function numberAt(numbers: ArrayLike<number>, index: number): number {
  const found = numbers[index]
  if (found === undefined) throw new RangeError(`there is no number ${index} in a list of ${numbers.length}`)
  return found
}
