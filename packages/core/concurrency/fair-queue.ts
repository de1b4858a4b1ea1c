/**
 * Shares the event loop among clients. A database in this process answers synchronously. Without the queue, all requests
 * that arrive together would be processed before anything else is read from the network.
 */

/** When a request of a client may be worked on: now (undefined), or later. Throws if too many of its requests wait. */
export type FairQueue = (client: string) => Promise<void> | undefined

interface Loop {
  /** ms */
  now: () => number
  /** Calls back once the input that has arrived has been read. */
  afterInput: (then: () => void) => void
  /** Calls back once the work that has begun waits for something other than the processor. */
  afterWork: (then: () => void) => void
  /** requests of one client that may wait */
  most: number
  /** the error for one more */
  refusal: () => Error
}

interface Client {
  requests: (() => void)[]
  /** Grows with the time that its requests have taken: the one with the smallest is next. */
  due: number
}

// Requests begin until this much of a pass of the event loop is used up. The others wait for further passes, in each of
// which one begins at least.
const passMs = 10
// The number of clients without waiting requests that are remembered.
const mostIdle = 1000

/**
 * Weighted fair queuing (Demers, Keshav and Shenker, 1989): whose requests take long waits longer for the next, so that
 * a client with many or expensive requests hardly delays the others, and ever new clients do not keep back a known one.
 */
export function createFairQueue({ now, afterInput, afterWork, most, refusal }: Loop): FairQueue {
  const clients = new Map<string, Client>()
  const waiting = new Set<Client>()
  let passBegan: number | undefined
  let running: Client | undefined
  let since = 0
  /** The time that a further client would have used if it had always waited: the starting value of a new client. */
  let fairShare = 0

  function charge(): void {
    const at = now()
    if (running) {
      running.due += at - since
      const active = waiting.size + (waiting.has(running) ? 0 : 1)
      fairShare += (at - since) / (active + 1)
    }
    running = undefined
    since = at
  }

  function clientOf(name: string): Client {
    const known = clients.get(name) ?? { requests: [], due: fairShare }
    clients.set(name, known)
    if (!waiting.has(known)) known.due = Math.max(known.due, fairShare)
    return known
  }

  function begin(client: Client): void {
    running = client
    if (passBegan !== undefined) return
    passBegan = since
    afterInput(next)
  }

  /** Forgets the clients that have used less than their share: they would start with the same value. */
  function forget(): void {
    for (const [name, client] of clients)
      if (!waiting.has(client) && client.due <= fairShare) clients.delete(name)
  }

  const hasTime = () => passBegan === undefined || since - passBegan < passMs
  function beginWaiting(): void {
    let first: Client | undefined
    for (const client of waiting) if (client.due < (first?.due ?? Infinity)) first = client
    if (!first) return
    const request = first.requests.shift()
    if (first.requests.length === 0) waiting.delete(first)
    begin(first)
    request?.()
    if (waiting.size > 0)
      afterWork(() => {
        charge()
        if (hasTime()) beginWaiting()
      })
  }

  function next(): void {
    charge()
    passBegan = undefined
    if (waiting.size === 0) {
      clients.clear()
      fairShare = 0
      return
    }
    if (clients.size > 2 * waiting.size + mostIdle) forget()
    beginWaiting()
  }

  return (name) => {
    charge()
    const client = clientOf(name)
    if (waiting.size === 0 && hasTime()) {
      begin(client)
      return undefined
    }
    if (client.requests.length >= most) throw refusal()
    waiting.add(client)
    return new Promise((resolve) => client.requests.push(resolve))
  }
}
