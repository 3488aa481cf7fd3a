/** Why the settings cannot be used, in one line. */
export class SettingFault extends Error {}

/** A setting that makes no sense. */
export class BadSetting extends SettingFault {
  readonly setting: string
  readonly #value: string
  readonly #wants: string

  constructor(setting: string, value: string, wants: string, where = setting) {
    super(`${where}: "${value}" is not ${wants}`)
    this.setting = setting
    this.#value = value
    this.#wants = wants
  }

  /** The same fault, which says where the operator gave the setting. */
  givenBy(where: string): BadSetting {
    return new BadSetting(this.setting, this.#value, this.#wants, where)
  }
}
