/** The commands about profiles. */
import { requestOf } from '@purlin/contract/commands/request'
import { operations } from '@purlin/contract/operations'
import { CliError } from '../errors.ts'
import { begin } from '../http/send.ts'
import { note, write, type Io } from '../io.ts'
import type { Options } from '../commands/local.ts'
import { printable } from '@purlin/contract/commands/printable'
import { readProfiles, withoutProfile, writeProfiles } from './store.ts'

/** Lists the profiles, the current one with a star. Tokens are not shown. */
export async function list(io: Io): Promise<void> {
  const { current, profiles } = readProfiles(io)
  const lines = Object.entries(profiles).map(
    ([name, { host, user, expires }]) =>
      `${name === current ? '*' : ' '} ${printable(`${name}  ${host}  ${user}  ${expires ?? 'no expiry'}`)}\n`,
  )
  await write(io.stdout, lines.join(''))
}

function chosen(io: Io, { profile }: Options): string {
  const name = String(profile)
  if (!readProfiles(io).profiles[name]) throw new CliError('usage', `no profile ${name}`)
  return name
}

/** Makes a profile the current one. */
export async function use(io: Io, options: Options): Promise<void> {
  const current = chosen(io, options)
  writeProfiles(io, { ...readProfiles(io), current })
}

/** Deletes the token of a profile on its server, then the profile. A token that is gone already is no failure. */
export async function remove(io: Io, options: Options): Promise<void> {
  const name = chosen(io, options)
  const { profiles } = readProfiles(io)
  const { host, token, tokenId = '' } = profiles[name] ?? { host: '', token: '' }
  const request = requestOf(operations.currentUserAccessTokenDelete, { params: { token_id: tokenId } })
  const { status, stream } = await begin({ host, token }, request, io.signal)
  stream.resume()
  if (status >= 400 && status !== 401 && status !== 404)
    await note(
      io,
      `Warning: the token is still valid, because ${host} answered ${status}. Delete it in the console.`,
    )
  writeProfiles(io, withoutProfile(readProfiles(io), name))
}

/** Signing out ends a session. Of a profile, it also ends the token. */
export async function forget(io: Io, profile: string | undefined): Promise<void> {
  const { current } = readProfiles(io)
  const name = profile ?? (io.env['PURLIN_HOST'] ? null : current)
  if (name !== null) await remove(io, { profile: name })
}
