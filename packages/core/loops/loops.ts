/** Work that outlives a request. Each loop makes actual state match the desired state. */
import type { AskAs, LoopName, Waking, World } from '#/context.ts'
import { isOutage, missedMessages } from '#/db/engine.ts'
import { StorageFull, type LoopResult } from '#/ports.ts'
import { outageMs, type Loop } from './loop.ts'
import { keepAllowList, type AllowList } from './allow-list.ts'
import { deliverAlerts } from './alerts.ts'
import { collectBundles } from './bundles/bundles.ts'
import { watchAttention } from './attention.ts'
import { keepAuditLog } from './audit.ts'
import { makeBackups } from './storage/backups.ts'
import { warnOfExpiry } from './certificates.ts'
import { importImages } from './storage/image-imports.ts'
import { computeDigests } from './storage/digests.ts'
import { refreshProviders } from './identity-providers.ts'
import { recordHardware, watchHardware } from './hardware.ts'
import { hostLeasesOf, type Taken } from '#/resources/hardware/host-leases.ts'
import { reachHosts } from '#/resources/hardware/reach.ts'
import { instanceLoop, takeOverInstances } from './instances/instances.ts'
import { removeOrphans } from './instances/orphans.ts'
import { runSchedules } from './schedules/schedules.ts'
import { sweepLayers } from './storage/layers.ts'
import { pushNetworks } from './networks.ts'
import { removeExpiredRoles } from './policies.ts'
import { collectSamples, keepUpSamples } from './samples.ts'
import { pruneRepositories } from './repositories.ts'
import { rollOutReleases } from './updates.ts'
import { expireSessions } from './sessions.ts'
import { pushSwitches } from './switches/switches.ts'
import { carryOutTasks } from './tasks.ts'

export interface Loops {
  /** Starts a round soon, instead of when the next row is due. */
  wake(what: Waking): void
  /** Resolves when no due work is left. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Takes the sleds that no other server drives, registers them, takes over their instances and starts every loop. */
export async function startLoops(world: World, askAs: AskAs, allowList: AllowList): Promise<Loops> {
  const { messages } = world.engine
  const leases = hostLeasesOf(world)
  await reachHosts(world)
  await begin(world, (await leases.round()).taken)
  const instances = instanceLoop(world, (what) => wake(what))
  const networks = pushNetworks(world)
  const onHardware = (what: 'hardware' | 'attention') => {
    wake(what)
    wake('updates')
    wake('switches')
  }
  const runners = [
    ...(leases.isShared || world.sleds.setJoined ? [keepLeases(world, () => wakeAll())] : []),
    instances.loop,
    removeOrphans(world, (what) => wake(what)),
    collectSamples(world),
    ...hardwareLoops(world, { onHardware, askAs }),
    networks,
    keepAllowList(world, allowList),
    expireSessions(world),
    removeExpiredRoles(world),
    sweepLayers(world),
    pruneRepositories(world),
    computeDigests(world),
    importImages(world, (what) => wake(what)),
    keepUpSamples(world),
    keepAuditLog(world),
    warnOfExpiry(world),
    refreshProviders(world),
    makeBackups(world),
    watchAttention(world, () => wake('alerts')),
    deliverAlerts(world),
    carryOutTasks(world, askAs),
    runSchedules(world, askAs),
  ].map((loop) => run(world, loop))
  const byName = new Map<string, (typeof runners)[number]>(runners.map((runner) => [runner.name, runner]))
  const { unreachable, readOnly } = world.blobs
  const canRun = (loop: LoopName) =>
    (unreachable === undefined || !usesBytes.has(loop)) && (readOnly === undefined || loop !== 'layers')
  // Another server does the work that this one cannot do.
  const wake = (what: Waking) => {
    const [loop] = what.split(' ') as [LoopName]
    const isOfOthers = onAllServers.has(loop) || (leases.isShared && byHost.has(loop))
    if (canRun(loop) && wakeHere(what) && !isOfOthers) return
    messages?.send(`${wakeMessage}${what}`)
  }
  /** False if this server does not run the loop. */
  const wakeHere = (what: string): boolean => {
    const [loop = '', id] = what.split(' ')
    if (id !== undefined) networks.changed(id)
    const runner = byName.get(loop)
    runner?.wake()
    return runner !== undefined
  }
  const wakeAll = () => {
    for (const runner of runners) runner.wake()
  }
  messages?.listen((message) => {
    if (message === missedMessages) wakeAll()
    else if (message.startsWith(wakeMessage)) wakeHere(message.slice(wakeMessage.length))
  })
  return {
    wake,
    settled: async () => {
      await instances.settled()
      await Promise.all(runners.map((runner) => runner.settled()))
    },
    stop: async () => {
      instances.stop()
      await Promise.all(runners.map((runner) => runner.stop()))
      if (!leases.isShared) return
      // The database may be away: then they end by themselves.
      await leases.release().catch(() => undefined)
      messages?.send(`${wakeMessage}hostLeases`)
    },
  }
}

const afterFailureMs = 2_000
/** The loops that need the bytes of disks. */
const usesBytes = new Set<LoopName>(['layers', 'digests', 'imageImports'])
/** The loops that every server runs for itself, or that only some can carry out. */
const onAllServers = new Set<LoopName>(['allowList', 'backups'])
/** The loops of hosts, each of which is driven by one of the servers. */
const byHost = new Set<LoopName>([
  'hostLeases',
  'instances',
  'networks',
  'hardware',
  'switches',
  'updates',
  'bundles',
])
const wakeMessage = 'wake '

/** Registers hardware and makes the instances due of what this server drives from its start on. */
async function begin(world: World, { duties, sledIds }: Taken): Promise<void> {
  await takeOverInstances(world, sledIds)
  if (!duties.includes('hardware')) return
  try {
    await recordHardware(world)
  } catch (error) {
    if (isOutage(error)) throw error
    // The loop of the hardware repeats it: a host must not keep a server from its start.
    world.log.error({ error: String(error) }, 'the hardware was not recorded')
  }
}

/**
 * Renews leases of hosts, and takes those over that other servers have left. Nothing of a host or of its instances keeps it
 * from the next renewal.
 */
function keepLeases(world: World, onTaken: () => void): Loop {
  const { log } = world
  const leases = hostLeasesOf(world)
  const taken = new Set<string>()
  let isNew = false
  let takingOver: Promise<void> | undefined

  async function takeOver(): Promise<void> {
    const sledIds = [...taken]
    taken.clear()
    isNew = false
    try {
      await takeOverInstances(world, sledIds)
      // Among the loops is that of the hardware.
      onTaken()
    } catch (error) {
      // The next round repeats it.
      for (const id of sledIds) taken.add(id)
      isNew = true
      if (!isOutage(error)) log.error({ error: String(error) }, 'instances were not taken over')
    }
  }

  return {
    name: 'hostLeases',
    async round() {
      const { taken: now, next } = await leases.round()
      if (now.duties.length > 0 || now.sledIds?.length !== 0) {
        log.info({ ...now }, 'this server drives hosts from now on')
        isNew = true
        for (const id of now.sledIds ?? []) taken.add(id)
      }
      if (isNew) takingOver ??= takeOver().finally(() => (takingOver = undefined))
      return next
    },
    settled: async () => takingOver,
  }
}

interface HardwareHooks {
  onHardware: (what: 'hardware' | 'attention') => void
  askAs: AskAs
}

/** The loops that one server runs for all. */
const hardwareLoops = (world: World, { onHardware, askAs }: HardwareHooks): Loop[] => [
  watchHardware(world, onHardware),
  ...[
    rollOutReleases(world, askAs),
    ...(world.bundles && world.bundles.files.unreachable === undefined ? [collectBundles(world)] : []),
    pushSwitches(world),
  ].map((loop) => onHolder(world, loop)),
]

/** A loop of the server that does what one server does for all hardware. */
function onHolder(world: World, loop: Loop): Loop {
  const leases = hostLeasesOf(world)
  if (!leases.isShared) return loop
  const round = async () => (leases.has('hardware') ? loop.round() : world.clock.now() + (world.lookMs ?? 0))
  return { ...loop, round }
}

/** Runs rounds one after another: at the requested time, or immediately when woken. */
function run(world: World, loop: Loop) {
  let busy: Promise<void> | null = null
  let again = false
  let woken = false
  let stopped = false
  let restUntil = -Infinity
  let cancel = () => {}
  const report = createReporter(world, loop)

  async function rounds(): Promise<void> {
    do {
      again = false
      const isWoken = woken
      woken = false
      const began = world.clock.now()
      let next = world.clock.now() + afterFailureMs
      let result: LoopResult = 'done'
      try {
        next = await (world.tracer?.round(loop.name, () => loop.round(isWoken)) ?? loop.round(isWoken))
        report.worked()
      } catch (error) {
        const isAway = isOutage(error)
        result = isAway || error instanceof StorageFull ? 'waited' : 'failed'
        if (isAway) next = world.clock.now() + outageMs
        else report.failed(error)
      }
      // The clock may have been set back, as that of a database that was away.
      const ended = Math.max(began, world.clock.now())
      world.meter?.round(loop.name, result, ended - began)
      cancel()
      if (loop.rests) restUntil = restAfter(began, ended)
      if (!stopped && !again) cancel = world.clock.after(Math.max(0, next - world.clock.now()), due)
    } while (again && !stopped && world.clock.now() >= restUntil)
  }
  function wake(): void {
    woken = true
    due()
  }
  function due(): void {
    if (stopped) return
    again = true
    if (!busy && world.clock.now() < restUntil) {
      cancel()
      cancel = world.clock.after(restUntil - world.clock.now(), due)
      return
    }
    busy ??= rounds().finally(() => {
      busy = null
      if (again) due()
    })
  }
  wake()
  return {
    name: loop.name,
    wake,
    settled: async () => {
      do {
        while (busy) await busy
        await loop.settled?.()
      } while (busy)
    },
    stop: async () => {
      stopped = true
      cancel()
      loop.stop?.()
      await busy
      await loop.settled?.()
    },
  }
}

/** When a loop that rests may begin again after a round. */
const restAfter = (began: number, ended: number): number => ended + Math.min(9 * (ended - began), 1_000)

/** Logs why rounds fail: that the storage is full once, everything else each time. */
function createReporter({ log }: World, { name }: Loop) {
  let isReported = false
  return {
    worked: () => (isReported = false),
    failed(error: unknown): void {
      const loop = name
      if (error instanceof StorageFull) {
        if (!isReported) log.warn({ loop }, 'the loop waits for room')
        isReported = true
      } else {
        const stack = error instanceof Error ? error.stack : String(error)
        log.error({ loop, stack }, 'loop round failed')
      }
    },
  }
}
