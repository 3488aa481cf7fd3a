/** A setting that makes no sense. */
export class BadSetting extends Error {
  constructor(name: string, value: string, wants: string) {
    super(`${name}: "${value}" is not ${wants}`)
  }
}
