/**
 * Shares the event loop among clients. A database in this process answers at once, so that many requests that arrive
 * together would all be worked on before anything else is read from the network.
 */

/** When a request of a client may be worked on: now (undefined), or later. */
export type Turns = (client: string) => Promise<void> | undefined

interface Loop {
  /** ms */
  now: () => number
  /** Calls back once what has arrived meanwhile has been read. */
  afterInput: (then: () => void) => void
}

interface Client {
  requests: (() => void)[]
  /** Grows with the time that its requests have taken: the one with the smallest is next. */
  due: number
}

// Requests begin freely until this much of a pass of the event loop is used up. The others wait, and one begins in each
// further pass.
const passMs = 10

/**
 * Start-time fair queuing: whose requests take long waits longer for the next, so that a client with many or expensive
 * requests hardly delays the others.
 */
export function createTurns({ now, afterInput }: Loop): Turns {
  const clients = new Map<string, Client>()
  let waiting = 0
  let passBegan: number | undefined
  let running: Client | undefined
  let since = 0
  /** What is due of a client that has not been seen. */
  let present = 0

  function charge(): void {
    const at = now()
    if (running) running.due += at - since
    running = undefined
    since = at
  }

  function clientOf(name: string): Client {
    const known = clients.get(name) ?? { requests: [], due: present }
    clients.set(name, known)
    if (known.requests.length === 0) known.due = Math.max(known.due, present)
    return known
  }

  function begin(client: Client): void {
    running = client
    if (passBegan !== undefined) return
    passBegan = since
    afterInput(next)
  }

  function next(): void {
    charge()
    passBegan = undefined
    if (waiting === 0) {
      clients.clear()
      present = 0
      return
    }
    let first: Client | undefined
    for (const client of clients.values())
      if (client.requests.length > 0 && client.due < (first?.due ?? Infinity)) first = client
    if (!first) return
    waiting--
    present = first.due
    begin(first)
    first.requests.shift()?.()
  }

  return (name) => {
    charge()
    const client = clientOf(name)
    if (passBegan === undefined || (waiting === 0 && since - passBegan < passMs)) {
      begin(client)
      return undefined
    }
    waiting++
    return new Promise((resolve) => client.requests.push(resolve))
  }
}
