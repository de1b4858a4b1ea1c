/** The newest holders of the sleds of a host in its data folder. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createHolderEpochs, type HolderEpochs, type Log } from '@purlin/core/ports'
import { integer, record, unlimited } from '@purlin/contract/schema'
import { parse } from '@purlin/core/http/validate'
import { startError } from '../process/start-errors.ts'
import { replaceFile } from '../storage/replace-file.ts'

const kept = record(integer({ min: 0 }), unlimited)

/** Reads the epochs of the process before. Throws StartError. */
export function epochsIn(folder: string, log: Log): HolderEpochs {
  const file = join(folder, 'epochs.json')
  return createHolderEpochs(Object.entries(read(file, folder)), (newest) => {
    try {
      replaceFile(file, JSON.stringify(Object.fromEntries(newest)))
    } catch (error) {
      // A full disk must not keep the next server from the host.
      log.error({ error: String(error) }, 'the epochs of servers cannot be kept')
    }
  })
}

function read(file: string, folder: string): Record<string, number> {
  if (!existsSync(file)) return {}
  try {
    return parse(kept, JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw startError.folder(folder, error)
  }
}
