/** Three equal projects: the request, the command and the document of a form each change one of them. */
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

export interface Results {
  /** Does what the texts of a form say, in each of the projects in one of the ways. */
  repeat: (shown: ShownTexts) => Promise<void>
  /** Waits until all projects are equal but for ids, times and addresses. */
  expectEqual: () => Promise<void>
}

/** The texts are those of forms of the first project. */
export function openResults(
  { api, runner, origin, token }: Access,
  projects: readonly [string, string, string],
): Results {
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
  /** Forms name some resources by id: it is that of the same name in the other project. */
  const to = async (text: string, project: string) => {
    const [first] = projects
    const named = text.replaceAll(first, project)
    if (!/[\da-f]{8}-[\da-f]{4}-/.test(named)) return named
    const [own, others] = await Promise.all([idsIn(api, first), idsIn(api, project)])
    return [...own].reduce((so, [name, id]) => so.replaceAll(id, others.get(name) ?? id), named)
  }
  const stateOf = async (project: string) =>
    (await run(`purlin export --project ${project}`))
      .replaceAll(project, 'PROJECT')
      .replaceAll(/^.*\b(ip|ipv6_prefix|ipv6_block): .*\n/gm, '')
  return {
    async repeat({ command, http, document }) {
      const [, second, third] = projects
      const byCommand = await to(command, second)
      const last = await to(document ?? http, third)
      await send(http)
      await run(byCommand)
      await (document === undefined ? send(last) : run(`purlin apply --file - <<'END'\n${last}END`))
    },
    expectEqual: () =>
      expect(async () => {
        const [made, ...others] = await Promise.all(projects.map(stateOf))
        for (const other of others) expect(other).toBe(made)
      }).toPass({ timeout: 60_000 }),
  }
}
