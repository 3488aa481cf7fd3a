/** Waits for a promise up to a limit. A later result is ignored. */
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
