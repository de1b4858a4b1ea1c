/** How soon the pages of a large VPC are there: its picture with 500 instances, and as many rules as there may be. */
import { buildConsole } from '@purlin/tools/building/build'
import { newFolder } from '@purlin/server/testing/children'
import { instanceOf, rulesFor } from '@purlin/server/testing/largest-network'
import { signIn } from '@purlin/server/testing/requests'
import { arrive, launch, visited, type Arrival, type Shown, type Site } from './browser.ts'
import { median, type Figure, type Pace } from '../figures.ts'
import { query, seedNetwork } from '../network-seed.ts'
import { startServer } from './servers.ts'

const instances = 500
const few = 10
const many = 1024
const page = `/projects/${query.project}/vpcs/${query.vpc}`
const picture = {
  path: `${page}/topology`,
  goal: { selectors: ['svg [data-part] text'], text: instanceOf(499) },
}
const rules = {
  path: `${page}/firewall-rules`,
  goal: { selectors: ['tbody th'], text: 'rule-0' },
}

export async function vpcPages(pace: Pace): Promise<Figure[]> {
  await buildConsole('production')
  const folder = newFolder()
  try {
    await seedNetwork(folder.path, instances, few)
    return await figuresIn(folder.path, Math.max(5, pace.rounds))
  } finally {
    folder.remove()
  }
}

async function figuresIn(folder: string, rounds: number): Promise<Figure[]> {
  const server = await startServer({ folder })
  const browser = await launch()
  try {
    const { cookie, api } = await signIn(server.url)
    const site = { browser, origin: server.url, cookie }
    const drawn: Arrival[] = []
    for (let i = 0; i < rounds; i++) drawn.push(await visit(site, picture))
    const times: Record<typeof few | typeof many, number[]> = { [few]: [], [many]: [] }
    // In turns, so that both are measured on the same machine.
    for (let i = 0; i < rounds; i++)
      for (const count of [few, many] as const) {
        await api.vpcFirewallRulesUpdate({ query, body: { rules: rulesFor(count, instances) } })
        times[count]?.push((await visit(site, rules)).goal)
      }
    const [short, long] = [median(times[few] ?? []), median(times[many] ?? [])]
    return [
      {
        name: `picture of ${instances} instances: drawn`,
        value: median(drawn.map((one) => one.goal)),
        unit: 'ms',
      },
      {
        name: `picture of ${instances} instances: longest task`,
        value: median(drawn.map((one) => one.longestTask)),
        unit: 'ms',
      },
      { name: `${few} rules: first rows`, value: short, unit: 'ms' },
      { name: `${many} rules: first rows`, value: long, unit: 'ms' },
      { name: `${many} rules: growth of first rows`, value: long / short, unit: '×' },
    ]
  } finally {
    await browser.close()
    await server.stop()
  }
}

const visit = (site: Site, { path, goal }: { path: string; goal: Shown }): Promise<Arrival> =>
  visited(site, (opened) => arrive(opened, site.origin + path, goal))
