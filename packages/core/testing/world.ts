/**
 * A control plane for tests: the real one on a real database, with simulated sleds and a manual clock.
 * One small world: silo `acme` with a user in every role, silo `other`, project `demo`, pool `public`.
 */
import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { createClient, type Client } from '@purlin/contract/client'
import { piecesOf, textOf, type ApiRequest, type ApiResponse, type Transport } from '@purlin/contract/http'
import { operations, type Operations } from '@purlin/contract/operations'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import type { SimulatedSleds, SimulationOptions } from '@purlin/sleds/simulation'
import { manualClock, type ManualClock } from '@purlin/sleds/manual-clock'
import type { Certificates } from '@purlin/contract/rules/credentials/certificate-checks'
import { createControlPlane, type ControlPlane } from '#/control-plane.ts'
import type { World } from '#/context.ts'
import type { Engine } from '#/db/engine.ts'
import { createMemoryBlobs } from '@purlin/databases/blobs-in-memory'
import { createMemoryFiles } from '@purlin/databases/files/in-memory'
import { lazyFactors } from '@purlin/factors/lazy'
import { fleetAuthority } from '@purlin/remote/authority'
import { lazyVerifier, lazyZips } from '@purlin/tuf/lazy'
import type { Passwords, Sha256, SledDriver } from '#/ports.ts'
import { createPool, createSilo, createUser, grant } from '#/seed/rows.ts'
import { sessionsOf } from '#/auth/sessions.ts'
import { testCertificates } from './certificates.ts'
import { openTestEngine } from './engines.ts'
import { testOidc } from './access/oidc.ts'
import { testSaml } from './access/saml.ts'
import { importPorts } from './images/imports.ts'

/** Cheap hashes; the server's tests test the real ones. */
export const cheapPasswords: Passwords = {
  hash: (password) => Promise.resolve(`plain:${password}`),
  verify: (hash, password) => Promise.resolve(hash === `plain:${password}`),
  isOutdated: (hash) => !hash.startsWith('plain:'),
  common: () => Promise.resolve(new Set(['password'])),
  fingerprint: (secret) => createHash('sha256').update(secret).digest('hex'),
  sign: (key, text) => createHmac('sha256', key).update(text).digest('hex'),
}

/** The real one. */
export function sha256(): Sha256 {
  const hash = createHash('sha256')
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest('hex') }
}
/** Hashes only the beginning of each chunk: disks are large and mostly empty. */
export function cheapSha256(): Sha256 {
  const real = sha256()
  return { update: (bytes) => real.update(bytes.subarray(0, 64)), hex: () => real.hex() }
}

export type Who =
  | 'admin'
  | 'collaborator'
  | 'viewer'
  | 'noRole'
  | 'projectAdmin'
  | 'projectCollaborator'
  | 'projectViewer'
  | 'fleetAdmin'
  | 'stranger'

export interface TestWorld {
  plane: ControlPlane
  world: World
  clock: ManualClock
  sleds: SimulatedSleds
  /** Every log line of level error, as JSON. */
  errors: string[]
  /** ids: `acme`, `other` (silos), `demo` (project), `public` (pool) and every user by its name */
  ids: Record<string, string>
  /** The typed client of a user. */
  as(who: Who): Client<Operations>
  /** The Cookie header of a user. */
  cookieOf(who: Who): string
  /** A client without any session. */
  anonymous: Client<Operations>
  /** Sends a request as it is; `who` adds that user's cookie. */
  raw(request: RawRequest): Promise<RawResponse>
  /** Waits until requests and loops are idle, without advancing the clock. */
  settle(): Promise<void>
  /** Waits until the database is idle: for tests that block a loop on purpose. */
  quiet(): Promise<void>
  /** Advances the clock and waits for the loops. */
  advance(ms: number): Promise<void>
  /** The same for long times, of which only the end matters. */
  jump(ms: number): Promise<void>
  /** The process ends and starts again: the database stays, sleds and memory are new. */
  restart(): Promise<void>
  /** A second control plane on the same database and clock; its sleds and the rest of its world are the same unless given. */
  another(sleds?: SledDriver, other?: Partial<World>): Promise<Pick<TestWorld, 'plane' | 'as' | 'raw'>>
  close(): Promise<void>
}
export type WorldOptions = Pick<SimulationOptions, 'rack' | 'timings' | 'random' | 'past'> &
  Partial<
    Pick<
      World,
      | 'sha256'
      | 'engine'
      | 'storage'
      | 'counts'
      | 'directory'
      | 'lookMs'
      | 'meter'
      | 'webhooks'
      | 'mail'
      | 'backups'
      | 'saml'
      | 'oidc'
      | 'imageImports'
    >
  > & {
    updates?: Partial<World['updates']>
    bundles?: Partial<World['bundles']>
    /** Null where none can be read; those of tests unless given. */
    certificates?: Certificates | null
    /** Samples are collected as usual, which is slow in tests that advance the clock far. */
    collects?: boolean
  }
export interface RawRequest {
  method?: string
  url: string
  who?: Who
  headers?: ApiRequest['headers']
  body?: string | Uint8Array<ArrayBuffer>
  /** the client's address, 127.0.0.1 unless given */
  remote?: string | undefined
}
export interface RawResponse {
  status: number
  headers: ApiResponse['headers']
  cookies: readonly string[]
  text: string
  /** Of an answer that sends some. */
  data: Uint8Array<ArrayBuffer>
  // oxlint-disable-next-line no-explicit-any -- tests look into arbitrary JSON
  json: any
}

const silent = () => undefined
const never = 1e12

/** Opens a separate world. Close it in `afterEach`/`afterAll`. */
export async function openWorld(options: WorldOptions = {}): Promise<TestWorld> {
  const errors: string[] = []
  const { engine, quiet } = countWork(options.engine ?? (await openTestEngine()))
  const clock = manualClock({ start: Date.parse('2026-01-02T03:04:05.000Z'), settle: quiet })
  const blobs = createMemoryBlobs()
  const updates = { files: createMemoryFiles(), verifier: lazyVerifier }
  const bundles = { files: createMemoryFiles(), zips: lazyZips }
  const imports = importPorts()
  const worldWith = (sleds: SledDriver): World => ({
    engine,
    clock,
    ids: { uuid: randomUUID, bytes: (n) => new Uint8Array(randomBytes(n)) },
    passwords: cheapPasswords,
    sleds,
    // Each server has its own access to the bytes that all share.
    blobs: { ...blobs },
    updates: { ...updates, ...options.updates },
    bundles: { ...bundles, ...options.bundles },
    imageImports: options.imageImports ?? imports,
    ...(options.webhooks ? { webhooks: options.webhooks } : {}),
    ...(options.mail ? { mail: options.mail } : {}),
    ...(options.backups ? { backups: options.backups } : {}),
    saml: options.saml ?? testSaml(),
    oidc: options.oidc ?? testOidc(),
    secondFactors: lazyFactors,
    fleetAuthority,
    sha256: options.sha256 ?? cheapSha256,
    ...(options.certificates === null ? {} : { certificates: options.certificates ?? testCertificates }),
    log: {
      info: silent,
      warn: silent,
      error: (fields, message) => errors.push(JSON.stringify({ ...fields, message })),
    },
    sessions: { idleMs: 480 * 60_000, absoluteMs: 1440 * 60_000 },
    ...(options.counts ? { counts: options.counts } : {}),
    ...(options.directory ? { directory: options.directory } : {}),
    ...(options.lookMs === undefined ? {} : { lookMs: options.lookMs }),
    ...(options.storage ? { storage: options.storage } : {}),
    ...(options.meter ? { meter: options.meter } : {}),
    ...(options.collects ? {} : { samples: { collectMs: never, upkeepMs: never } }),
  })
  // Where servers share hosts, each reaches them by itself.
  const reachedBy = (driver: SledDriver) =>
    options.lookMs !== undefined && driver === sleds ? sleds.asServer() : driver
  let sleds = createSimulatedSleds({ clock, ...options })
  let plane = await createControlPlane(worldWith(reachedBy(sleds)))
  const planes = [plane]
  const { ids, tokens } = await populate(plane.world)
  const door = (to: () => ControlPlane) => ({
    raw: (request: RawRequest) => send(to(), request, request.who && tokens[request.who]),
    as: (who: Who) => createClient(operations, transportOf(to, tokens[who])),
  })
  const { raw, as } = door(() => plane)
  const project = await as('admin').projectCreate({ body: { name: 'demo', description: 'the demo project' } })
  ids['demo'] = project.id
  await engine.transaction('write', async (tx) => {
    for (const [who, role] of [
      ['projectAdmin', 'admin'],
      ['projectCollaborator', 'collaborator'],
      ['projectViewer', 'viewer'],
    ] as const)
      await grant(tx, {
        resourceType: 'project',
        resourceId: project.id,
        identityType: 'silo_user',
        identityId: ids[who] ?? '',
        roleName: role,
      })
  })
  const settle = async () => {
    await quiet()
    for (const one of planes) await one.loops.settled()
  }
  return {
    get plane() {
      return plane
    },
    get world() {
      return plane.world
    },
    get sleds() {
      return sleds
    },
    clock,
    errors,
    ids,
    as,
    cookieOf: (who) => `session=${tokens[who] ?? ''}`,
    anonymous: createClient(
      operations,
      transportOf(() => plane, undefined),
    ),
    raw,
    settle,
    quiet,
    advance: async (ms) => {
      await clock.advance(ms)
      await settle()
    },
    jump: async (ms) => {
      await clock.jump(ms)
      await settle()
    },
    restart: async () => {
      await plane.loops.stop()
      sleds = createSimulatedSleds({ clock, ...options })
      plane = await createControlPlane(worldWith(reachedBy(sleds)))
      planes.push(plane)
      await settle()
    },
    another: async (itsSleds = sleds, other = {}) => {
      const second = await createControlPlane({ ...worldWith(reachedBy(itsSleds)), ...other })
      planes.push(second)
      return { plane: second, ...door(() => second) }
    },
    close: async () => {
      for (const one of planes) await one.loops.stop()
      await engine.close()
    },
  }
}

const nextTick = () => new Promise(setImmediate)

/** An engine that counts its running transactions: a remote database takes several ticks to answer. */
function countWork(engine: Engine): { engine: Engine; quiet: () => Promise<void> } {
  let busy = 0
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    busy++
    try {
      return await work()
    } finally {
      busy--
    }
  }
  const { independentTransaction: apart } = engine
  const transaction: Engine['transaction'] = (...args) => counted(() => engine.transaction(...args))
  const independentTransaction: Engine['transaction'] | undefined =
    apart && ((...args) => counted(() => apart(...args)))
  const quiet = async () => {
    // A transaction that ends may start another one a tick later.
    for (let idle = 0; idle < 2; idle = busy === 0 ? idle + 1 : 0) await nextTick()
  }
  const independent = independentTransaction ? { independentTransaction } : {}
  return { engine: { ...engine, transaction, ...independent }, quiet }
}

async function populate(
  world: World,
): Promise<{ ids: Record<string, string>; tokens: Record<string, string> }> {
  const ids: Record<string, string> = {}
  const tokens: Record<string, string> = {}
  await world.engine.transaction('write', async (tx) => {
    for (const name of ['acme', 'other'])
      ids[name] = await createSilo(world, tx, { name, description: '', mappedFleetRoles: {} })
    const people: [Who, string, string | null][] = [
      ['admin', 'silo', 'admin'],
      ['collaborator', 'silo', 'collaborator'],
      ['viewer', 'silo', 'viewer'],
      ['noRole', '', null],
      ['projectAdmin', '', null],
      ['projectCollaborator', '', null],
      ['projectViewer', '', null],
      ['fleetAdmin', 'fleet', 'admin'],
      ['stranger', 'silo', 'admin'],
    ]
    for (const [who, level, role] of people) {
      const siloId = ids[who === 'stranger' ? 'other' : 'acme'] ?? ''
      const id = await createUser(world, tx, {
        siloId,
        name: who.toLowerCase(),
        passwordHash: `plain:${who}-password`,
      })
      ids[who] = id
      tokens[who] = await sessionsOf(world).start(tx, id)
      if (role === null) continue
      const resourceId = level === 'silo' ? siloId : '001de000-1334-4000-8000-000000000000'
      await grant(tx, {
        resourceType: level as 'silo',
        resourceId,
        identityType: 'silo_user',
        identityId: id,
        roleName: role as 'admin',
      })
    }
    ids['public'] = await createPool(world, tx, {
      name: 'public',
      description: 'addresses of the test world',
      ranges: [['10.20.0.10', '10.20.0.250']],
      silos: [{ siloId: ids['acme'] ?? '', isDefault: true }],
    })
  })
  return { ids, tokens }
}

function transportOf(to: () => ControlPlane, token: string | undefined): Transport {
  return async (request) => {
    const response = await send(to(), request, token)
    return { ...response, body: response.text }
  }
}

async function send(
  plane: ControlPlane,
  request: RawRequest,
  token: string | undefined,
): Promise<RawResponse> {
  const headers: Record<string, string> = { host: 'purlin.test', ...request.headers }
  if (token !== undefined) headers['cookie'] ??= `session=${token}`
  const response = await plane.dispatch({
    method: request.method ?? 'GET',
    url: request.url,
    headers,
    body: request.body ?? '',
    remote: request.remote ?? '127.0.0.1',
  })
  const text = (await textOf(response)) ?? ''
  const pieces = response.bytes ? await piecesOf(response.bytes) : []
  const isJson = /^application\/(?:scim\+)?json$/.test(response.headers['content-type'] ?? '')
  return {
    status: response.status,
    headers: response.headers,
    cookies: response.cookies ?? [],
    text,
    data: new Uint8Array(Buffer.concat(pieces)),
    json: text && isJson ? (JSON.parse(text) as unknown) : undefined,
  }
}
