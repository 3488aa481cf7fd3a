/** Waits for a promise for so long, and then no longer. What comes later is not looked at. */
export async function inTime<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let giveUp: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((done) => {
    giveUp = setTimeout(() => done(undefined), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(giveUp)
  }
}
