/** Creates the resources that a journey needs, through the API. */
import { expect, type Page } from '@playwright/test'
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { GiB } from '@purlin/contract/rules/limits'
import { go, unique } from './actions.ts'

type Api = Client<Operations>

/** ms between looks at what is being prepared: the longer pauses that are usual would be waited for in each journey. */
const intervals = [100]

/**
 * A new project. The page must be open. Its name sorts after all others, so that the rows which journeys
 * look for stay on the first page of the projects.
 */
export async function makeProject(api: Api, stem: string): Promise<string> {
  const name = unique(`zz-${stem}`)
  await api.projectCreate({ body: { name, description: '' } })
  return name
}

/** A free disk without content. */
export async function makeDisk(api: Api, project: string, name: string): Promise<void> {
  const diskSource = { type: 'blank', blockSize: 4096 } as const
  await api.diskCreate({ query: { project }, body: { name, description: '', size: 2 * GiB, diskSource } })
  await expect
    .poll(async () => (await api.diskView({ params: { disk: name }, query: { project } })).state.state, {
      intervals,
    })
    .toBe('detached')
}

/** A floating IP of the default pool, attached to an instance if one is named. Returns its address. */
export async function makeFloatingIp(
  api: Api,
  project: string,
  name: string,
  instance?: string,
): Promise<string> {
  const query = { project }
  const { ip } = await api.floatingIpCreate({ query, body: { name, description: '' } })
  const body = { kind: 'instance', parent: instance ?? '' } as const
  if (instance !== undefined) await api.floatingIpAttach({ params: { floatingIp: name }, query, body })
  return ip
}

/** A snapshot of a disk of the project. */
export async function makeSnapshot(api: Api, project: string, body: { name: string; disk: string }) {
  return api.snapshotCreate({ query: { project }, body: { description: '', ...body } })
}

/** An image made of a snapshot, which stays, of a disk, which stays too; all have the same name. */
export async function makeImage(api: Api, project: string, name: string): Promise<string> {
  await makeDisk(api, project, name)
  const { id } = await makeSnapshot(api, project, { name, disk: name })
  const body = { name, description: '', os: 'plan9', version: '4', source: { type: 'snapshot', id } as const }
  return (await api.imageCreate({ query: { project }, body })).id
}

interface Wanted {
  project: string
  name: string
  start?: boolean
  /** Names of additional disks; they must be free. */
  disks?: string[]
}

/** An instance with a boot disk, once it is running or stopped. */
export async function makeInstance(
  api: Api,
  { project, name, start = false, disks = [] }: Wanted,
): Promise<void> {
  const diskSource = { type: 'blank', blockSize: 4096 } as const
  await api.instanceCreate({
    query: { project },
    body: {
      name,
      description: '',
      hostname: name,
      ncpus: 2,
      memory: 4 * GiB,
      start,
      bootDisk: { type: 'create', name: `${name}-boot`, description: '', size: 2 * GiB, diskSource },
      disks: disks.map((disk) => ({ type: 'attach', name: disk })),
    },
  })
  await expectState(api, { project, name }, start ? 'running' : 'stopped')
}

/** Waits for the control plane to say that an instance is in a state. */
export const expectState = (
  api: Api,
  { project, name }: { project: string; name: string },
  state: string,
): Promise<void> =>
  expect
    .poll(async () => (await api.instanceView({ params: { instance: name }, query: { project } })).runState, {
      intervals,
    })
    .toBe(state)

/** Opens a page of a project. */
export const openIn = (page: Page, project: string, path: string): Promise<void> =>
  go(page, `/projects/${project}/${path}`)
