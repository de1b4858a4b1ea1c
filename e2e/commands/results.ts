/** Three equal places: the request, the command and the document of a form each change one of them. */
import type { Page } from '@playwright/test'
import type { Client } from '@purlin/contract/client'
import { deviceAccessToken, deviceAuthRequest } from '@purlin/contract/operations/access/access-tokens'
import type { Operations } from '@purlin/contract/operations'
import { expect } from '../support/world.ts'
import { messagesIn } from './recorder.ts'
import type { Runner } from './runner.ts'
import type { ShownTexts } from './shown.ts'

/** An access token of the signed-in user. */
export async function tokenOf(page: Page, api: Client<Operations>): Promise<string> {
  const clientId = '6f1f3a3a-8f3e-4d43-9d37-2c8d1f4b7a10'
  const form = async (path: string, fields: Record<string, string>) =>
    (await page.request.post(path, { form: fields })).json() as Promise<Record<string, string>>
  const asked = await form(deviceAuthRequest.path, { client_id: clientId })
  await api.deviceAuthConfirm({ body: { userCode: asked['user_code'] ?? '' } })
  const granted = await form(deviceAccessToken.path, {
    client_id: clientId,
    device_code: asked['device_code'] ?? '',
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
  })
  return granted['access_token'] ?? ''
}

/** How the server is reached; commands have an access token. */
export interface Access {
  api: Client<Operations>
  runner: Runner
  origin: string
  token: string
}

/** The ids of what forms of a project name, by kind and name. */
async function idsIn(api: Client<Operations>, project: string): Promise<Map<string, string>> {
  const query = { project }
  const lab = { query: { project, vpc: 'lab' } }
  const lists = {
    instance: api.instanceList({ query }),
    disk: api.diskList({ query }),
    floatingIp: api.floatingIpList({ query }),
    group: api.antiAffinityGroupList({ query }),
    vpc: api.vpcList({ query }),
    subnet: api.vpcSubnetList({ query: { project, vpc: 'default' } }),
    router: api.vpcRouterList(lab),
    gateway: api.internetGatewayList(lab),
    nic: api.instanceNetworkInterfaceList({ query: { project, instance: 'web' } }),
  }
  const ids = new Map([['project', (await api.projectView({ params: query })).id]])
  for (const [kind, list] of Object.entries(lists))
    for (const { name, id } of (await list).items) ids.set(`${kind} ${name}`, id)
  return ids
}

/** Projects, or silos with their pools, that are equal at first. */
export interface Places {
  /** The forms are those of the first. Everything in a place has its name before a dash, or this name. */
  names: readonly [string, string, string]
  /** The ids of what forms name, by kind and name. */
  idsIn: (api: Client<Operations>, name: string) => Promise<Map<string, string>>
  /** The place as it is exported. */
  stateOf: (run: (command: string) => Promise<string>, name: string) => Promise<string>
}

export const placesOfProjects = (names: Places['names']): Places => ({
  names,
  idsIn,
  stateOf: (run, name) => run(`purlin export --project ${name}`),
})

// No two pools may have the same address: the third number is that of the place.
const networkOf = (name: string, { names }: Pick<Places, 'names'>) => `198.18.${70 + names.indexOf(name)}.`

/** Silos, each with a pool of the same name. */
export const placesOfFleet = (names: Places['names']): Places => ({
  names,
  idsIn: async (api, name) =>
    new Map([
      ['silo', (await api.siloView({ params: { silo: name } })).id],
      ['pool', (await api.ipPoolView({ params: { pool: name } })).id],
    ]),
  async stateOf(run, name) {
    const text = await run('purlin export --system')
    const rows = text.split(/^(?: {2}- (?=name: )|\S.*\n)/m)
    const own = rows.filter((row) => row.startsWith(`name: ${name}\n`) || row.startsWith(`name: ${name}-`))
    return own.join('').replaceAll(networkOf(name, { names }), '198.18.0.')
  },
})

export interface Results {
  /** Does what the texts of a form say, in each of the places in one of the ways. */
  repeat: (shown: ShownTexts) => Promise<void>
  /** Waits until all places are equal but for ids, times and addresses. */
  expectEqual: () => Promise<void>
}

/** The texts are those of forms of the first place. */
export function openResults({ api, runner, origin, token }: Access, places: Places): Results {
  const env = { PURLIN_HOST: origin, PURLIN_TOKEN: token }
  const run = async (command: string) => {
    const { code, out, err } = await runner.run(command, env)
    expect(code, `${command}\n${err}`).toBe(0)
    return out
  }
  const send = async (http: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    for (const { method, url, body } of messagesIn(http)) {
      const sent = body === null ? {} : { body: JSON.stringify(body) }
      const response = await fetch(new URL(url, origin), { method, headers, ...sent })
      expect(response.ok, `${http}\n${response.status}`).toBe(true)
    }
  }
  /** Forms name some resources by id: it is that of the same name in the other place. */
  const to = async (text: string, place: string) => {
    const [first] = places.names
    const named = text.replaceAll(first, place).replaceAll(networkOf(first, places), networkOf(place, places))
    if (!/[\da-f]{8}-[\da-f]{4}-/.test(named)) return named
    const [own, others] = await Promise.all([places.idsIn(api, first), places.idsIn(api, place)])
    return [...own].reduce((so, [name, id]) => so.replaceAll(id, others.get(name) ?? id), named)
  }
  const stateOf = async (place: string) =>
    (await places.stateOf(run, place))
      .replaceAll(place, 'PLACE')
      .replaceAll(/^.*\b(ip|ipv6_prefix|ipv6_block): .*\n/gm, '')
  return {
    async repeat({ command, http, document }) {
      const [, second, third] = places.names
      const byCommand = await to(command, second)
      const last = await to(document ?? http, third)
      await send(http)
      await run(byCommand)
      await (document === undefined ? send(last) : run(`purlin apply --file - <<'END'\n${last}END`))
    },
    expectEqual: () =>
      expect(async () => {
        const [made, ...others] = await Promise.all(places.names.map(stateOf))
        for (const other of others) expect(other).toBe(made)
      }).toPass({ timeout: 60_000 }),
  }
}
