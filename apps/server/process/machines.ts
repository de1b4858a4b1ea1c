/** The driver of machines, as the settings say. */
import { join, resolve } from 'node:path'
import { hasRealSleds, hasSimulatedSleds, hasSledsInside, type World } from '@purlin/core'
import type { Blobs, Clock, Log, SledDriver } from '@purlin/core/ports'
import { findNetworks, type FoundNetworks, type Named } from '@purlin/netns/privileged/open'
import { openControlGroups } from '@purlin/qemu/host/control-groups'
import { createQemuHost } from '@purlin/qemu/host/host'
import { hasKvm } from '@purlin/qemu/host/kvm'
import { whyNoBox } from '@purlin/qemu/machine/box'
import { whyNoUplink } from '@purlin/qemu/machine/uplink'
import { createSimulatedSleds, forDemo } from '@purlin/sleds/sim'
import { createJoinedFleet } from '@purlin/remote/joined'
import { noSleds } from '@purlin/remote/no-sleds'
import { messageOf } from '@purlin/databases/error-codes'
import { takeLock } from '@purlin/databases/files/lock'
import type { Config } from './config.ts'
import { chooseMachines, endsWith, folderOfMachines, ofThisMachine, qemuProgram } from '../machines/choose.ts'
import { StartError } from './start-errors.ts'

export interface Machines {
  sleds: SledDriver
  /** How machines run, for people; undefined if they run elsewhere. */
  note?: string
  /** Guests have the loopback address of this machine: a connection from there may be one of theirs. */
  sharesLoopback?: boolean
  /** Lets go of machines that outlive the server. */
  close(): Promise<void>
}

interface Around {
  clock: Clock
  log: Log
  blobs: Blobs
  /** The folder of the bytes of disks. */
  folder: string
  /** The identity of the database. */
  owner: string
}

/**
 * Opens the driver of the host inside of the process, and of those that join the fleet. Throws StartError.
 */
export async function openMachines(
  config: Config,
  around: Around & Pick<World, 'engine'>,
): Promise<Machines> {
  const own = await openLocal(config, around)
  const sleds = createJoinedFleet({ local: own.sleds, clock: around.clock, log: around.log })
  return {
    sleds,
    ...(own.note === undefined ? {} : { note: own.note }),
    ...(own.sharesLoopback === undefined ? {} : { sharesLoopback: own.sharesLoopback }),
    close: () => {
      sleds.close()
      return own.close()
    },
  }
}

async function openLocal(
  config: Config,
  { engine, ...around }: Around & Pick<World, 'engine'>,
): Promise<Machines> {
  const hasSimulated = () => hasSimulatedSleds(engine)
  const hasInside = () => hasSledsInside(engine)
  const hasReal = () => hasRealSleds(engine)
  const choice = await chooseMachines(config, { ...ofThisMachine, hasSimulated, hasInside, hasReal })
  if (choice.driver === 'none')
    return { ...withoutEnd(noSleds('this server has no host')), note: choice.note }
  const ends = config.databaseUrl === undefined ? '' : ` ${endsWith(choice.driver)}`
  if (choice.driver === 'simulated')
    return {
      ...withoutEnd(await simulated(config, around.clock, hasSimulated)),
      note: `${choice.note}${ends}`,
    }
  const why = around.blobs.unreachable ?? around.blobs.readOnly
  if (why !== undefined && config.machines === 'qemu')
    throw new StartError(`Machines cannot run with QEMU: ${why}.`)
  const unlock = why === undefined ? lockHost(config.dataDir) : undefined
  if (!unlock) {
    const reason = why ?? 'another server has the host of this data folder'
    around.log.warn({ reason }, 'this server has no host')
    return withoutEnd(noSleds('this server has no host'))
  }
  const { dataDir, external, tunnelAddress } = config
  const opened = await openQemu({ ...around, dataDir, named: { external, tunnelAddress }, isPart: true })
  return { ...opened, note: `${opened.note}${ends}`, close: () => opened.close().finally(unlock) }
}

const withoutEnd = (sleds: SledDriver): Machines => ({ sleds, close: () => Promise.resolve() })

/** Takes the machines of a data folder for this process, as servers may share the folder. Undefined if another one has them. */
function lockHost(dataDir: string): (() => void) | undefined {
  try {
    const lock = takeLock(join(dataDir, 'qemu.lock'), () => new HostInUse())
    return () => lock.close()
  } catch (error) {
    if (error instanceof HostInUse) return undefined
    throw error
  }
}
class HostInUse extends Error {}

async function simulated(
  { demo }: Config,
  clock: Clock,
  areKnown: () => Promise<boolean>,
): Promise<SledDriver> {
  if (!demo) return createSimulatedSleds({ clock })
  const { demoPastMs } = await import('@purlin/core/seed')
  // A demo that is started again has what it has measured before.
  return createSimulatedSleds({ clock, ...forDemo((await areKnown()) ? 0 : demoPastMs) })
}

interface RealHost {
  dataDir: string
  /** The addresses that it leads to guests, or takes packets of other hosts at, itself. */
  named: Named
  isPart: boolean
  hostId?: string
  /** Where it takes machines of other hosts. */
  arrivals?: { host: string; port: number }
}

/** Opens the driver of real machines, emulated where KVM cannot be used. Throws StartError. */
export async function openQemu(
  around: Omit<Around, 'blobs'> & RealHost,
): Promise<Machines & { note: string }> {
  const { clock, log, folder, owner, dataDir, named, isPart, hostId, arrivals } = around
  const canUseKvm = await hasKvm()
  if (!ofThisMachine.hasQemu())
    throw new StartError(`Machines cannot run with QEMU: ${qemuProgram} is missing. Install qemu-system-x86.`)
  if (!canUseKvm)
    log.warn(
      { device: '/dev/kvm' },
      'KVM cannot be used by this user or on this processor: guests are emulated, which is many times slower',
    )
  const noBox = whyNoBox(qemuProgram)
  if (noBox !== undefined)
    log.warn(
      { reason: noBox },
      'a guest that takes over its QEMU has what this server has: do not run guests that you do not trust',
    )
  const found = await findNetworks(dataDir, named)
  const { networks, problem } = found
  if (hostId !== undefined) await warnWithoutTunnel(found, log)
  const noUplink = networks ? undefined : (noBox ?? (await whyNoUplink()))
  if (problem !== undefined)
    log.warn(
      { reason: problem },
      networks
        ? 'guests do not start, and changes of their networks wait, until the network helper answers'
        : 'rules of VPCs are not enforced',
    )
  if (noUplink !== undefined)
    log.warn({ reason: noUplink }, 'guests reach services that listen on the loopback address of this host')
  const machines = folderOfMachines(resolve(dataDir))
  const groups = await openControlGroups(machines)
  if (groups.problem !== undefined)
    log.warn({ reason: groups.problem }, 'machines are not bounded by all limits of control groups')
  try {
    const host = await createQemuHost({
      folder: machines,
      groups,
      owner,
      isPart,
      ...(hostId === undefined ? {} : { hostId }),
      ...(arrivals ? { arrivals } : {}),
      blobs: resolve(folder),
      accelerator: canUseKvm ? 'kvm' : 'tcg',
      network: networks ?? 'outbound',
      clock,
      log,
      program: qemuProgram,
      hasBoxes: noBox === undefined,
      hasUplink: noUplink === undefined,
    })
    const close = async () => {
      await host.close()
      await groups.close()
    }
    const speed = canUseKvm ? ' and KVM' : ', emulated: they are slow'
    const boxes = noBox === undefined ? '' : ` No machine is in a box: ${noBox}`
    const note = `Machines run with QEMU${speed}. ${networkNote(found, noUplink)}${boxes}`
    return {
      sleds: host,
      note,
      sharesLoopback: noUplink !== undefined,
      close,
    }
  } catch (error) {
    throw new StartError(`Machines cannot run with QEMU: ${messageOf(error)}.`, { cause: error })
  }
}

/** Warns if VPCs do not reach the guests of other hosts. */
async function warnWithoutTunnel({ networks }: FoundNetworks, log: Log): Promise<void> {
  if ((await networks?.named().catch(() => undefined))?.tunnelAddress !== null) return
  log.warn(
    { flag: '--tunnel-address' },
    'guests do not reach those of other hosts in their VPC: give the network helper an address for it, or this host if it is root',
  )
}

const noExternal =
  ' No external address leads to guests, and they do not reach the outside: name the blocks of your IP pools with --external.'

/** The networks of guests, for people. */
function networkNote({ networks, problem, leadsNone }: FoundNetworks, noUplink: string | undefined): string {
  if (problem === undefined) return `Networks of VPCs are enforced.${leadsNone ? noExternal : ''}`
  if (networks) return `Networks of VPCs are not there, and no guest starts before they are: ${problem}.`
  const loopback =
    noUplink === undefined ? '' : ` Guests reach what listens on this machine's loopback address: ${noUplink}`
  return `Networks of VPCs are not enforced: ${problem}.${loopback}`
}
