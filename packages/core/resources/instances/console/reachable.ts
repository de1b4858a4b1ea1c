/** The consoles of an instance, serial or with a screen: when they can be reached, and what a client holds of one. */
import type { OpShape } from '@purlin/contract/op'
import { instanceAnswer } from '@purlin/contract/rules/states'
import type { Ctx, RequestContext } from '#/context.ts'
import { fault } from '#/faults.ts'
import { SledUnreachable } from '#/ports.ts'
import { requireReach } from '#/resources/hardware/reach.ts'
import type { InstanceRow } from '../view.ts'

/** The client's side of a live console. */
export interface ClientStream {
  /** Takes what the client sends. True if a person has done something to the machine. */
  receive(bytes: Uint8Array): boolean
  close(): void
  /** Absent where output cannot be slowed down. */
  setPaused?(isPaused: boolean): void
}

/** A live console, the instance that it is of, and the right that its client must keep. */
export interface OpenConsole {
  instanceId: string
  allow: OpShape['allow']
  /** Why it ends without that right, for people. */
  lostReason: string
  stream: ClientStream
}

export type ConsoleNoun = 'serial console' | 'screen'

/** Where an instance runs whose consoles can be reached now, and in which boot. */
export interface Reached {
  id: string
  sledId: string
  boot: number
}

/** Finds an instance whose console can be reached. Throws 400, 403, 404. */
export async function reachable(
  ctx: RequestContext,
  noun: ConsoleNoun,
  find: (ctx: Ctx) => Promise<InstanceRow>,
): Promise<Reached> {
  const { id, sledId, boot, runState } = await ctx.transaction('read', find)
  if (sledId === null && (runState === 'stopped' || runState === 'failed'))
    throw fault.invalid(`instance is ${runState} and has no active ${noun} server`)
  if (sledId === null || instanceAnswer('serialConsole', runState) === 'refuse')
    throw fault.invalid(`cannot connect to ${noun} of instance in state "${runState}"`)
  requireReach(ctx.world, sledId)
  return { id, sledId, boot }
}

/** Of an operation that the server opens a socket for, through `openConsole`: a request without an upgrade fails. */
export const onlyUpgrade = {
  withoutTransaction: () => Promise.reject(fault.badUpgrade('expected connection upgrade')),
}

export const gone = (noun: ConsoleNoun) => fault.invalid(`instance has no active ${noun} server`)

/** The answer of a sled. Throws 503. */
export async function ask<T>(question: Promise<T>): Promise<T> {
  try {
    return await question
  } catch (error) {
    throw error instanceof SledUnreachable ? fault.unavailable() : error
  }
}
