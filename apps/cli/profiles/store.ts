/** The profiles of a user: servers with their tokens, in a file that only the user can read. */
import { chmodSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { CliError } from '../errors.ts'
import type { Io } from '../io.ts'

export interface Profile {
  host: string
  token: string
  /** The id of the token, by which it can be deleted. */
  tokenId: string
  /** The display name of the user. */
  user: string
  /** RFC 3339; null for a token that does not expire. */
  expires: string | null
}
export interface Profiles {
  current: string | null
  profiles: Readonly<Record<string, Profile>>
}

const none: Profiles = { current: null, profiles: {} }

/** The file of the profiles, by the XDG Base Directory Specification. */
function fileOf({ env }: Io): string {
  const home = env['XDG_CONFIG_HOME'] || join(env['HOME'] ?? homedir(), '.config')
  return join(home, 'purlin', 'profiles.json')
}

/** The profiles; none without a file. Throws CliError for a file that others can read, or that is no such file. */
export function readProfiles(io: Io): Profiles {
  const file = fileOf(io)
  const mode = statSync(file, { throwIfNoEntry: false })?.mode
  if (mode === undefined) return none
  if (mode & 0o077)
    throw new CliError('usage', `${file} has tokens and can be read by other users: run chmod 600 ${file}`)
  try {
    return { ...none, ...(JSON.parse(readFileSync(file, 'utf8')) as Profiles) }
  } catch {
    throw new CliError('usage', `${file} is not a file of profiles`)
  }
}

/** Replaces the profiles. The file is complete at any time. */
export function writeProfiles(io: Io, profiles: Profiles): void {
  const file = fileOf(io)
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const next = `${file}.${process.pid}`
  writeFileSync(next, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(next, file)
}

/** The profiles with one more, or with one replaced, which becomes the current one. */
export const withProfile = ({ profiles }: Profiles, name: string, profile: Profile): Profiles => ({
  current: name,
  profiles: { ...profiles, [name]: profile },
})

/** The profiles without one. Another one is current only once it has been chosen. */
export const withoutProfile = ({ current, profiles }: Profiles, name: string): Profiles => ({
  current: current === name ? null : current,
  profiles: Object.fromEntries(Object.entries(profiles).filter(([one]) => one !== name)),
})
