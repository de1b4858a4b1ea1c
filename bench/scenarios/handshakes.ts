/** The cost of choosing the certificate of a TLS handshake by name, with a certificate for each of many silos. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { connect } from 'node:tls'
import { defaultZone, hostOfSilo } from '@purlin/contract/rules/credentials/certificates'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { newFolder } from '@purlin/server/testing/children'
import { makeCertificate } from '@purlin/x509/make'
import { median, type Figure, type Pace } from '../figures.ts'
import { startServer } from './servers.ts'

const count = 500
const perTurn = 250
const names = Array.from({ length: count }, (_, i) => `silo-${i}`)
const hosts = names.map((name) => hostOfSilo(name, defaultZone))

/** All clients are shown certificates with keys of one kind, so that handshakes differ in nothing but their choice. */
export async function handshakeTimes({ rounds }: Pace): Promise<Figure[]> {
  const folder = newFolder()
  await addSilos(folder.path)
  const files = { cert: join(folder.path, 'cert.pem'), key: join(folder.path, 'key.pem') }
  const { cert, key } = await makeCertificate({ commonName: 'localhost' })
  writeFileSync(files.cert, cert)
  writeFileSync(files.key, key)
  const server = await startServer({ folder: folder.path }, [
    '--tls-cert',
    files.cert,
    '--tls-key',
    files.key,
  ])
  const port = Number(new URL(server.url).port)
  const timesOf = async (asked: readonly string[]) => {
    const spent: number[] = []
    for (const host of asked) spent.push(await handshake(port, host))
    return spent
  }
  await timesOf(Array.from({ length: perTurn }, () => 'localhost'))
  const first = await timesOf(hosts)
  const plain: number[] = []
  const chosen: number[] = []
  for (let turn = 0; turn < 4 * rounds; turn++) {
    plain.push(median(await timesOf(Array.from({ length: perTurn }, () => 'localhost'))))
    chosen.push(median(await timesOf(hosts.filter((_, i) => i % 2 === turn % 2))))
  }
  await server.stop()
  folder.remove()
  const one = median(plain)
  return [
    { name: 'one certificate: p50', value: one, unit: 'ms' },
    { name: 'added by choosing of 500: p50', value: median(chosen) - one, unit: 'ms' },
    { name: 'added by choosing for the first time: p50', value: median(first) - one, unit: 'ms' },
  ]
}

async function handshake(port: number, servername: string): Promise<number> {
  const began = performance.now()
  const socket = connect({ port, host: '127.0.0.1', servername, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const spent = performance.now() - began
  socket.destroy()
  return spent
}

/** A new database with the silos and a certificate for each. */
async function addSilos(folder: string): Promise<void> {
  const server = await startServer({ folder })
  await server.stop()
  const engine = openSqlite(join(folder, 'purlin.db'))
  const times = { timeCreated: 0, timeModified: 0 }
  const silos = names.map((name) => ({ id: randomUUID(), name, description: '', ...times }))
  const rest = { identityMode: 'local_only' as const, discoverable: 1, mappedFleetRolesJson: '{}', rcgen: 0 }
  const quota = { adminGroupName: null, quotaCpus: 0, quotaMemory: 0, quotaStorage: 0 }
  try {
    await engine.transaction('write', async (tx) => {
      for (const silo of silos) {
        await tx
          .insertInto('silo')
          .values({ ...silo, ...rest, ...quota })
          .execute()
        const host = hostOfSilo(silo.name, defaultZone)
        const { cert, key } = await makeCertificate({ commonName: silo.name, dnsNames: [host] })
        const said = { subject: '', issuer: '', dnsNamesJson: JSON.stringify([host]) }
        const valid = { notBefore: 0, notAfter: Date.now() + 1e10, toldStage: null }
        const certificate = { id: randomUUID(), name: 'web', description: '', ...times, siloId: silo.id }
        await tx
          .insertInto('certificate')
          .values({ ...certificate, certPem: cert, keyPem: key, ...said, ...valid })
          .execute()
      }
    })
  } finally {
    await engine.close()
  }
}
