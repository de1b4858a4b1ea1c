/** A live serial console that goes on where its machine moves to. */
import type { World } from '#/context.ts'
import { isOutage } from '#/db/engine.ts'
import { SledUnreachable, type ConsoleListener, type ConsoleStart, type ConsoleStream } from '#/ports.ts'
import type { Reached } from './reachable.ts'

/** A host ends a console once the machine is at the other one, whose report takes less than this to be stored. */
const longestMs = 60_000
const lookMs = 200
/** Input waits in between. More than this is dropped. */
const mostTyped = 64 * 1024

/** A machine, and the client of its console. */
interface Followed {
  world: World
  machine: Reached
  to: ConsoleListener
}

/** Opens the console of a machine. Null: there is no such machine. Throws SledUnreachable. */
export async function openFollowing(of: Followed, start: ConsoleStart): Promise<ConsoleStream | null> {
  const console = new FollowingConsole(of)
  return (await console.attach(start)) ? console : null
}

class FollowingConsole implements ConsoleStream {
  #world: World
  #machine: Reached
  #to: ConsoleListener
  /** At the sled of the machine; undefined while the machine is between two. */
  #stream: ConsoleStream | undefined
  #typed: Uint8Array[] = []
  #isOpen = true

  constructor({ world, machine, to }: Followed) {
    this.#world = world
    this.#machine = machine
    this.#to = to
  }

  /** False if the sled has no such machine. */
  async attach(start: ConsoleStart): Promise<boolean> {
    const { promise: ended, resolve: end } = Promise.withResolvers<{
      reason: string
      at: number | undefined
    }>()
    const stream = await this.#world.sleds.openConsole(this.#machine, start, {
      data: (bytes) => {
        if (this.#isOpen) this.#to.data(bytes)
      },
      closed: (reason, at) => end({ reason, at }),
    })
    if (!stream) return false
    if (!this.#isOpen) stream.close()
    this.#stream = stream
    for (const bytes of this.#typed.splice(0)) stream.write(bytes)
    void ended.then(({ reason, at }) => this.#followOrEnd(reason, at))
    return true
  }

  write(bytes: Uint8Array): void {
    if (!this.#isOpen) return
    if (this.#stream) return this.#stream.write(bytes)
    const waiting = this.#typed.reduce((sum, { length }) => sum + length, 0)
    if (waiting + bytes.length <= mostTyped) this.#typed.push(bytes)
  }

  close(): void {
    this.#isOpen = false
    this.#stream?.close()
  }

  async #followOrEnd(reason: string, at: number | undefined): Promise<void> {
    this.#stream = undefined
    if (this.#isOpen && at !== undefined && (await this.#follow(at))) return
    if (this.#isOpen) this.#to.closed(reason)
    this.#isOpen = false
  }

  async #follow(from: number): Promise<boolean> {
    try {
      return (await this.#hasMoved()) && (await this.attach({ from }))
    } catch (error) {
      if (!(error instanceof SledUnreachable) && !isOutage(error))
        this.#world.log.warn({ instance: this.#machine.id, error }, 'a console cannot follow its machine')
      return false
    }
  }

  /** Waits until the machine is on its way no longer. False if it is where the console has ended, or nowhere. */
  async #hasMoved(): Promise<boolean> {
    const { clock } = this.#world
    const { id, boot, sledId: before } = this.#machine
    let hasWaited = false
    for (const until = clock.now() + longestMs; this.#isOpen && clock.now() <= until;) {
      const row = await this.#row()
      if (row?.boot !== boot || row.sledId === null) return false
      this.#machine = { id, boot, sledId: row.sledId }
      if (row.migrationSledId === null) return hasWaited || row.sledId !== before
      hasWaited = true
      await new Promise<void>((done) => void clock.after(lookMs, done))
    }
    return false
  }

  #row() {
    return this.#world.engine.transaction('read', (tx) =>
      tx
        .selectFrom('instance')
        .select(['sledId', 'boot', 'migrationSledId'])
        .where('id', '=', this.#machine.id)
        .executeTakeFirst(),
    )
  }
}
