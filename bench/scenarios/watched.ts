/**
 * A list of a project with ten thousand instances that one user has open in Chromium: the delay of changes by another
 * user, and the requests while nothing changes.
 */
import { setTimeout as wait } from 'node:timers/promises'
import type { CDPSession, Page } from '@playwright/test'
import { newFolder } from '@purlin/server/testing/children'
import { admin } from '@purlin/server/testing/process'
import { signIn, type Api } from '@purlin/server/testing/requests'
import { buildConsole } from '@purlin/tools/building/build'
import { launch, visited } from './browser.ts'
import type { Figure, Pace } from '../figures.ts'
import { createInstance, instanceName, project, seed } from '../seed.ts'
import { startServer } from './servers.ts'

// One below the limit of a project, which the other person reaches.
const count = 9999
// Before all others in the order of names.
const newName = 'a-new-one'
const password = 'a-watched-measured-plank'

export async function watchedList({ rounds }: Pace): Promise<Figure[]> {
  await buildConsole('production')
  const folder = newFolder()
  try {
    await seed({ folder: folder.path }, count)
    const server = await startServer({ folder: folder.path })
    const browser = await launch()
    try {
      const { cookie, api } = await signIn(server.url)
      const other = await somebodyElse(server.url, api)
      const isQuick = rounds === 1
      return await visited({ browser, origin: server.url, cookie }, async (page, session) => {
        await page.goto(`${server.url}/projects/${project}/instances`)
        await page.getByText(instanceName(0)).waitFor()
        // The stream begins when the page is loaded.
        await wait(5000)
        const open = await leftOpen(session, isQuick ? 5 : 60)
        const changes = await changesSeen(page, other, isQuick ? 5 : 30)
        return [...open, ...changes]
      })
    } finally {
      await browser.close()
      await server.stop()
    }
  } finally {
    folder.remove()
  }
}

/** A collaborator of the silo, signed in elsewhere. */
async function somebodyElse(url: string, api: Api): Promise<Api> {
  const externalId = 'colleague'
  const { id } = await api.localIdpUserCreate({
    query: { silo: admin.silo },
    body: { externalId, password: { mode: 'password', value: password } },
  })
  const { roleAssignments } = await api.policyView({})
  roleAssignments.push({ identityType: 'silo_user', identityId: id, roleName: 'collaborator' })
  await api.policyUpdate({ body: { roleAssignments } })
  return (await signIn(url, { silo: admin.silo, user: externalId, password })).api
}

/** The requests and transfers while nothing changes, without the stream and its heartbeats. */
async function leftOpen(session: CDPSession, seconds: number): Promise<Figure[]> {
  await session.send('Network.enable')
  const asked = new Set<string>()
  let bytes = 0
  let streamBytes = 0
  session.on('Network.requestWillBeSent', ({ requestId }) => asked.add(requestId))
  session.on('Network.dataReceived', ({ requestId, dataLength, encodedDataLength }) => {
    const received = Math.max(dataLength, encodedDataLength)
    // The stream has been requested before.
    if (asked.has(requestId)) bytes += received
    else streamBytes += received
  })
  await wait(seconds * 1000)
  const requests = asked.size
  await session.send('Network.disable')
  const minutes = seconds / 60
  return [
    { name: 'list left open for a minute: requests', value: requests / minutes, unit: 'count' },
    { name: 'list left open for a minute: bytes', value: bytes / 1000 / minutes, unit: 'kB' },
    {
      name: 'list left open for a minute: comments of the stream',
      value: streamBytes / 1000 / minutes,
      unit: 'kB',
    },
  ]
}

/** Milliseconds from the request that makes or deletes an instance until the frame that shows it to the other person. */
async function changesSeen(page: Page, api: Api, changes: number): Promise<Figure[]> {
  const times: number[] = []
  for (let i = 0; i < changes; i++) {
    // Not in step with anything.
    await wait(700 + ((i * 137) % 600))
    const isMade = i % 2 === 0
    const seen = await page.evaluateHandle(whenSeen, [newName, isMade] as const)
    const began = Date.now()
    if (isMade) await createInstance(api, newName)
    else await api.instanceDelete({ params: { instance: newName }, query: { project } })
    times.push((await seen.evaluate(({ at }) => at)) - began)
  }
  const sorted = times.toSorted((a, b) => a - b)
  const share = (part: number) => sorted[Math.ceil(part * sorted.length) - 1] ?? Number.NaN
  return [
    { name: 'change by another user seen: p50', value: share(0.5), unit: 'ms' },
    { name: 'change by another user seen: p95', value: share(0.95), unit: 'ms' },
  ]
}

/** Runs in the page: when a row with the name is painted, or no such row any more, in ms since 1970. */
function whenSeen([name, isWanted]: readonly [string, boolean]): { at: Promise<number> } {
  const at = new Promise<number>((done, fail) => {
    const late = setTimeout(() => fail(new Error(`${name} is not seen`)), 30_000)
    const look = () => {
      const isThere = [...document.querySelectorAll('tbody tr')].some((row) => row.textContent.includes(name))
      if (isThere !== isWanted) return void requestAnimationFrame(look)
      // This frame paints the present document.
      setTimeout(() => {
        clearTimeout(late)
        done(Date.now())
      })
    }
    requestAnimationFrame(look)
  })
  return { at }
}
