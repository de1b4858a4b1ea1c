/** Alerts that wait for eight receivers, delivered by a server that starts: real requests over HTTP on this machine. */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { newFolder } from '@purlin/server/testing/children'
import { inDatabase } from '@purlin/server/testing/prepared'
import { signIn } from '@purlin/server/testing/requests'
import { median, type Figure, type Pace } from '#/figures.ts'
import { startServer } from '../servers.ts'

const receivers = 8

/** `--quick` sends 800 deliveries. */
export async function deliverySpeed({ rounds }: Pace): Promise<Figure[]> {
  const alerts = rounds > 1 ? 1250 : 100
  const rates: number[] = []
  for (let i = 0; i < Math.max(1, Math.min(rounds, 3)); i++) rates.push(await rateOf(alerts))
  return [{ name: `deliveries to ${receivers} receivers`, value: median(rates), unit: '/s' }]
}

/** Deliveries in a second, from the first to the last. */
async function rateOf(alerts: number): Promise<number> {
  const { path: folder, remove } = newFolder()
  const heard = await listen(alerts * receivers)
  try {
    await prepare({ folder, alerts, port: heard.port })
    const server = await startServer({ folder }, ['--webhooks-allow', '127.0.0.0/8'])
    try {
      const seconds = await heard.all
      return (alerts * receivers - 1) / seconds
    } finally {
      await server.stop()
    }
  } finally {
    heard.close()
    remove()
  }
}

/** A receiver for all; `all` are the seconds from the first delivery to the last of that many different ones. */
async function listen(count: number): Promise<{ port: number; all: Promise<number>; close: () => void }> {
  const seen = new Set<unknown>()
  let first = 0
  const { promise: all, resolve } = Promise.withResolvers<number>()
  const server = createServer((request, response) => {
    if (seen.size === 0) first = performance.now()
    seen.add(request.headers['x-purlin-delivery-id'])
    request.resume()
    response.writeHead(204).end()
    if (seen.size === count) resolve((performance.now() - first) / 1000)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, all, close: () => server.close() }
}

/** Makes the receivers by the API, and the alerts that wait for them in the database. */
async function prepare({ folder, alerts, port }: { folder: string; alerts: number; port: number }) {
  const server = await startServer({ folder })
  const { api } = await signIn(server.url)
  const ids: string[] = []
  for (let i = 0; i < receivers; i++) {
    const { id } = await api.webhookReceiverCreate({
      body: {
        name: `receiver-${i}`,
        description: '',
        endpoint: `http://127.0.0.1:${port}/${i}`,
        secrets: ['a secret of the bench'],
        subscriptions: ['hardware.**'],
      },
    })
    ids.push(id)
  }
  await server.stop()
  const now = Date.now()
  inDatabase(folder, (db) => {
    const insert = (table: string, row: Record<string, string | number | null>) => {
      const columns = Object.keys(row)
      db.prepare(
        `insert into "${table}" (${columns.map((one) => `"${one}"`).join()}) values (${columns.map(() => '?').join()})`,
      ).run(...Object.values(row))
    }
    db.exec('begin')
    for (let i = 0; i < alerts; i++) {
      const alert = {
        id: randomUUID(),
        class: 'hardware.disk.failing',
        findingId: `finding ${i}`,
        severity: 'warning',
        subjectType: 'physical-disk',
        subjectId: randomUUID(),
        subjectName: `disk-${i}`,
        within: null,
        text: `Disk ${i} is failing.`,
        advice: 'Replace it.',
        timeStarted: now,
        timeEnded: null,
        timeAcknowledged: null,
        acknowledgedBy: null,
        silencedUntil: null,
      }
      insert('alert', alert)
      for (const alertReceiverId of ids)
        insert('alertDelivery', {
          id: randomUUID(),
          alertReceiverId,
          alertId: alert.id,
          alertClass: alert.class,
          state: 'pending',
          trigger: 'alert',
          timeStarted: now,
          dueAt: now,
          attemptsJson: '[]',
        })
    }
    db.exec('commit')
  })
}
