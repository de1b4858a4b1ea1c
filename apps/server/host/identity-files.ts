/** The key and the certificate of a host in its data folder, readable by its user only. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { integer, object, string } from '@purlin/contract/schema'
import { encode, jsonText } from '@purlin/contract/wire'
import { parse } from '@purlin/core/http/validate'
import { startError } from '../process/start-errors.ts'
import { replaceFile } from '../storage/replace-file.ts'

/** The file. */
const kept = object({
  id: string({ maxLength: 100 }),
  /** The identity of the database of the fleet. */
  fleetId: string({ maxLength: 100 }),
  /** Where it listens. */
  host: string({ maxLength: 253 }),
  port: integer({ min: 1, max: 65_535 }),
  key: string({ maxLength: 10_000 }),
  cert: string({ maxLength: 10_000 }),
  authority: string({ maxLength: 10_000 }),
})

export interface KeptIdentity {
  id: string
  fleetId: string
  host: string
  port: number
  key: string
  cert: string
  authority: string
}

const fileIn = (folder: string): string => join(folder, 'host.json')

/** The identity of a host that has joined before. Throws StartError. */
export function readIdentity(folder: string): KeptIdentity | undefined {
  const file = fileIn(folder)
  if (!existsSync(file)) return undefined
  try {
    return parse(kept, JSON.parse(readFileSync(file, 'utf8')))
  } catch (error) {
    throw startError.folder(folder, error)
  }
}

export function keepIdentity(folder: string, identity: KeptIdentity): void {
  replaceFile(fileIn(folder), jsonText(encode(kept, identity)))
}
