/** Whether the instances of a server are real, and the reason, for people. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { hasKvm } from '@purlin/qemu/host/kvm'
import type { Config } from '../process/config.ts'
import { StartError } from '../process/start-errors.ts'

/** The program that runs guests. */
export const qemuProgram = 'qemu-system-x86_64'
/** The folder of real machines in a data folder. */
export const folderOfMachines = (dataDir: string): string => join(dataDir, 'qemu')

export type Choice = { driver: 'qemu' } | { driver: 'simulated' | 'none'; note: string }

/** The surroundings that decide. */
export interface Surroundings {
  hasKvm(): Promise<boolean>
  hasQemu(): boolean
  /** True if this server has simulated sleds from before. */
  hasSimulated(): Promise<boolean>
  /** True if the database has sleds inside of a server. */
  hasInside(): Promise<boolean>
  /** True if the database has sleds that run guests. */
  hasReal(): Promise<boolean>
}

/** The surroundings of this process, but for its database. */
export const ofThisMachine: Omit<Surroundings, 'hasSimulated' | 'hasInside' | 'hasReal'> = {
  hasKvm: () => hasKvm(),
  hasQemu: () => spawnSync(qemuProgram, ['--version']).status === 0,
}

const onlyJoined = 'This server has no host: instances run on hosts that have joined.'
const insideWait =
  'Instances on a sled inside of another server wait for that server. If it is gone for good, expunge the sled.'

/** The end of a server with a host inside, where others share its database: for people. */
export const endsWith = (driver: 'qemu' | 'simulated'): string =>
  `If this server ends, ${
    driver === 'qemu'
      ? 'no other one drives its guests until it is back on this machine'
      : 'its simulated machines end with it, and another one starts them again'
  }: with --machines none and hosts that join (npm run host), every server drives every guest.`

const simulated = (why: string): Choice => ({ driver: 'simulated', note: `Instances are simulated${why}` })

/**
 * `auto` is QEMU where the processor runs guests. What a data folder has decides before that: its instances would be lost to
 * another driver. Throws StartError if they are real and cannot run now.
 */
export async function chooseMachines(
  { machines, demo, dataDir }: Pick<Config, 'machines' | 'demo' | 'dataDir'>,
  around: Surroundings,
): Promise<Choice> {
  if (machines === 'qemu') return { driver: 'qemu' }
  if (machines === 'none')
    return { driver: 'none', note: (await around.hasInside()) ? `${onlyJoined} ${insideWait}` : onlyJoined }
  if (machines === 'simulated') return simulated(': no guest boots.')
  if (demo) return simulated(', as those of the demo are.')
  const canUseKvm = await around.hasKvm()
  if (existsSync(folderOfMachines(dataDir))) {
    if (canUseKvm) return { driver: 'qemu' }
    throw new StartError(
      'The instances of this data folder run with QEMU, and this user cannot use KVM (/dev/kvm) now. --machines qemu emulates them, which is slow.',
    )
  }
  if (await around.hasSimulated())
    return simulated(
      ', as those of this database were before. For real ones, start with an empty --data-dir.',
    )
  const problem = whyNotReal(canUseKvm, around)
  if (problem === undefined) return { driver: 'qemu' }
  // Simulated sleds in a fleet of real ones would get instances that people believe to be real.
  if (await around.hasReal())
    return {
      driver: 'none',
      note: `This server has no host, as those of the fleet run guests, and here ${problem}`,
    }
  return simulated(`, because ${problem}`)
}

function whyNotReal(canUseKvm: boolean, around: Pick<Surroundings, 'hasQemu'>): string | undefined {
  if (!canUseKvm) return 'KVM (/dev/kvm) cannot be used. --machines qemu emulates guests, which is slow.'
  return around.hasQemu() ? undefined : `${qemuProgram} is missing. Install qemu-system-x86.`
}
