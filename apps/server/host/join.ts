/** Joins a fleet: proves the code, and gets a certificate for a key that never leaves this host. */
import { createHash, createHmac, generateKeyPairSync, X509Certificate } from 'node:crypto'
import { request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { joinText, type JoinCode } from '@purlin/contract/rules/credentials/hosts'
import { hostJoin } from '@purlin/contract/operations/hardware/hosts'
import { encode, jsonText } from '@purlin/contract/wire'
import { parse } from '@purlin/core/http/validate'
import { messageOf } from '@purlin/databases/error-codes'
import { fingerprintOf } from '@purlin/remote/authority'
import { nameOfHost } from '@purlin/remote/identity'
import { StartError } from '../process/start-errors.ts'
import type { KeptIdentity } from './identity-files.ts'

const answerMs = 30_000
const longestAnswer = 64 * 1024

interface Answer {
  status: number
  body: unknown
}

/** Sends the proof to the server in the code. Throws StartError. */
export async function joinFleet(
  code: JoinCode,
  at: { address: string; port: number },
): Promise<Omit<KeptIdentity, 'host' | 'port'>> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  const host = { codeId: code.id, publicKey, ...at }
  const secretHash = createHash('sha256').update(code.secret).digest('hex')
  const proof = createHmac('sha256', secretHash).update(joinText(host)).digest('hex')
  const { status, body } = await ask(code.url, jsonText(encode(hostJoin.body, { ...host, proof })))
  if (status !== 201) throw new StartError(`The server refuses this host: ${messageIn(body)}.`)
  const { id, fleetId, certificate, authority } = answerIn(body)
  await requireGenuine({ id, certificate, authority, publicKey }, code)
  return { id, fleetId, key: privateKey, cert: certificate, authority }
}

function answerIn(body: unknown) {
  try {
    return parse(hostJoin.response, body)
  } catch (error) {
    throw new StartError('The address in the code is not that of a server.', { cause: error })
  }
}

const messageIn = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'message' in body && typeof body.message === 'string'
    ? body.message.slice(0, 500)
    : 'it answers nonsense'

/** The fingerprint in the code, and not the certificate of the server, says that the answer comes from the fleet. */
async function requireGenuine(
  got: { id: string; certificate: string; authority: string; publicKey: string },
  { fingerprint }: JoinCode,
): Promise<void> {
  const isGenuine = async () => {
    if ((await fingerprintOf(got.authority)) !== fingerprint) return false
    const cert = new X509Certificate(got.certificate)
    const own = cert.publicKey.export({ type: 'spki', format: 'pem' }) === got.publicKey
    const signed = cert.verify(new X509Certificate(got.authority).publicKey)
    return own && signed && cert.checkHost(nameOfHost(got.id)) !== undefined
  }
  if (await isGenuine().catch(() => false)) return
  throw new StartError(
    'The answer does not come from the fleet of the code: something between this host and the server changes it.',
  )
}

/** Sends a request to a server whose certificate need not be trusted: nothing in it is secret. Throws StartError. */
function ask(url: string, body: string): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const how = { method: 'POST', headers, timeout: answerMs }
  const to = new URL(hostJoin.path, url)
  const request =
    to.protocol === 'https:' ? requestTls(to, { ...how, rejectUnauthorized: false }) : requestPlain(to, how)
  request.once('timeout', () => request.destroy(new Error('it does not answer')))
  request.once('error', reject)
  request.once('response', (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (piece: string) => {
      text += piece
      if (text.length > longestAnswer) request.destroy(new Error('its answer is too long'))
    })
    response.once('error', reject)
    response.once('end', () => resolve({ status: response.statusCode ?? 0, body: jsonIn(text) }))
  })
  request.end(body)
  return promise.catch((error: unknown) => {
    throw new StartError(`The server at ${url} cannot be reached: ${messageOf(error)}.`, { cause: error })
  })
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
