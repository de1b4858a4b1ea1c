/** A host whose sleds are simulated: which of them were added outlives the process. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock, SledDriver } from '@purlin/core/ports'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { replaceFile } from '../storage/replace-file.ts'

interface Options {
  hostId: string
  sleds: number
  folder: string
  clock: Clock
}

interface Board {
  part: string
  serial: string
}

/** Makes the sleds, of which none is part of the system at first. */
export async function createSimulatedHost({ hostId, sleds, folder, clock }: Options): Promise<SledDriver> {
  const serial = `PRR-${hostId.slice(-8).toUpperCase()}`
  const rack = { sleds: 0, spare: sleds, switches: 0, serial, sledSerials: `${serial}-` }
  const driver = createSimulatedSleds({ clock, rack })
  const file = join(folder, 'added-sleds.json')
  const added = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Board[]) : []
  for (const board of added) await driver.addSled(board)
  const keep = (boards: Board[]) => replaceFile(file, JSON.stringify(boards))
  const addSled = driver.addSled.bind(driver)
  const dropSled = driver.dropSled.bind(driver)
  return Object.assign(driver, {
    addSled: async (board: Board) => {
      const sled = await addSled(board)
      if (sled) keep([...added.filter((one) => one.serial !== board.serial), board])
      if (sled) added.push(board)
      return sled
    },
    dropSled: async (sledId: string) => {
      await dropSled(sledId)
      const here = new Set((await driver.hardware()).sleds.map((sled) => sled.serial))
      added.splice(0, added.length, ...added.filter((one) => here.has(one.serial)))
      keep(added)
    },
  })
}
