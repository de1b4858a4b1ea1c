/** Closes sockets whose user has lost the session or the permission that they were opened with. */
import { createAccessCheck, type Ending, type Held, type World } from '@purlin/core'
import { isOutage } from '@purlin/core/ports'
import type { ConsoleSocket } from './console-socket.ts'

// A socket is closed within a second of the change, whichever server made it.
const checkMs = 500
// Without the database, access cannot be checked.
const uncheckedMs = 10_000

const closings: Record<Exclude<Ending, 'permission'>, { code: number; reason: string }> = {
  session: { code: 1008, reason: 'the session has ended' },
  instance: { code: 1001, reason: 'the instance was deleted' },
}
const unchecked = { code: 1013, reason: 'permissions cannot be checked at the moment' }

/** With the reason, for people, when the permission is lost. */
export interface Watched extends Held {
  lostReason: string
}

export interface SocketAccess {
  /** Checks a socket from here on, until it is closed. */
  watch(socket: ConsoleSocket, held: Watched): void
  forget(socket: ConsoleSocket): void
}

export function createSocketAccess(world: World): SocketAccess {
  const { clock, log } = world
  const check = createAccessCheck(world)
  const sockets = new Map<Watched, ConsoleSocket>()
  let isWaiting = false
  let checkedAt = clock.now()

  function checkSoon(): void {
    if (isWaiting || sockets.size === 0) return
    isWaiting = true
    clock.after(checkMs, () => void checkAll())
  }
  async function checkAll(): Promise<void> {
    try {
      const endings = await check([...sockets.keys()])
      checkedAt = clock.now()
      for (const held of sockets.keys()) endOf(held, endings.get(held))
    } catch (error) {
      // An outage of the database is logged separately.
      if (!isOutage(error)) log.warn({ error: String(error) }, 'permissions of sockets not checked')
      const isTooLong = clock.now() - checkedAt >= uncheckedMs
      if (isTooLong) for (const held of sockets.keys()) close(held, unchecked)
    }
    isWaiting = false
    checkSoon()
  }
  function endOf(held: Watched, ending: Ending | undefined): void {
    if (ending === 'permission') close(held, { code: 1008, reason: held.lostReason })
    else if (ending) close(held, closings[ending])
  }
  function close(held: Watched, { code, reason }: { code: number; reason: string }): void {
    const { instanceId } = held
    log.info({ instanceId, reason }, 'socket closed')
    sockets.get(held)?.leave(code, reason)
    sockets.delete(held)
  }
  return {
    watch(socket, held) {
      if (sockets.size === 0) checkedAt = clock.now()
      sockets.set(held, socket)
      checkSoon()
    },
    forget(socket) {
      for (const [held, one] of sockets) if (one === socket) sockets.delete(held)
    },
  }
}
