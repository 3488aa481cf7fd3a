/**
 * Limits on tries to sign in. Tries are counted by address and name together, by address alone (one client that tries
 * many names), and by name alone (many clients that try one name).
 */
import { keyOfName, problems } from '../../engine/index.ts'
import { networkOf, wideNetworkOf } from '../exchange/address.ts'
import type { Request } from '../exchange/message.ts'
import { type Limit, type MonotonicClock, RecentKeys, Throttle } from './throttle.ts'

export interface SignInSettings {
  /** For each address and name. */
  readonly signIns?: Limit | undefined
  readonly signInsByAddress?: Limit | undefined
  readonly signInsByName?: Limit | undefined
}

/** A try that was counted. */
export interface Attempt {
  /** The password was right: the try counts for the address and name together, but for neither alone. */
  succeed(): void
  /** The password was right, and the try does not count at all. */
  forgive(): void
  /** The password could not be checked. */
  cancel(): void
}

type Client = Pick<Request, 'address'>

const MOST_KNOWN = 50_000

export class SignInLimits {
  readonly #together: Throttle
  readonly #byAddress: Throttle
  readonly #byName: Throttle
  /** Addresses that have signed in as a name. Strangers who use up the limit of the name do not lock them out. */
  readonly #known = new RecentKeys<true>(MOST_KNOWN)

  constructor({ signIns, signInsByAddress, signInsByName }: SignInSettings, clock: MonotonicClock) {
    this.#together = new Throttle(signIns, clock)
    this.#byAddress = new Throttle(signInsByAddress, clock)
    this.#byName = new Throttle(signInsByName, clock)
  }

  /** Counts a try, or throws if there were too many. `signedIn`: the client has already shown that it is this user. */
  take(client: Client, username: string, { signedIn = false } = {}): Attempt {
    const network = networkOf(client.address)
    const wide = wideNetworkOf(client.address)
    const name = keyOfName(username)
    const pair = pairOf(client, username)
    const isKnown = signedIn || this.#known.get(pair) !== undefined
    const alone: [Throttle, string][] = [
      [this.#byAddress, network],
      ...(wide ? [[this.#byAddress, wide] as [Throttle, string]] : []),
      ...(isKnown ? [] : [[this.#byName, name] as [Throttle, string]]),
    ]
    const seconds = Math.max(this.#together.wait(pair), ...alone.map(([throttle, key]) => throttle.wait(key)))
    if (seconds > 0) throw problems.throttled(seconds)
    const takeBackPair = this.#together.count(pair)
    const takeBackAlone = alone.map(([throttle, key]) => throttle.count(key))
    const cancelAlone = () => {
      for (const takeBack of takeBackAlone) takeBack()
    }
    const cancel = () => {
      takeBackPair()
      cancelAlone()
    }
    return {
      cancel,
      succeed: () => {
        cancelAlone()
        this.know(client, username)
      },
      forgive: () => {
        cancel()
        this.know(client, username)
      },
    }
  }

  /** The client has signed in as this user. */
  know(client: Client, username: string): void {
    this.#known.set(pairOf(client, username), true)
  }
}

function pairOf({ address }: Client, username: string): string {
  return `${networkOf(address)} ${keyOfName(username)}`
}
