/** Creates of instances with everything that one may have: for attacks. */
import { GiB, limits } from '@purlin/contract/rules/limits'
import type { Wave } from './flood.ts'
import type { Api } from './requests.ts'

const description = 'd'.repeat(limits.description)
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g'
const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

/** Makes a project with the subnets and keys that they name, and returns the requests. */
export async function largestInstances(
  { api, cookie }: { api: Api; cookie: string },
  project: string,
): Promise<(serial: number) => Wave> {
  await api.projectCreate({ body: { name: project, description: '' } })
  const keys = numbers(limits.instance.sshKeys).map((i) => `${project}-${i}`)
  for (const name of keys) await api.currentUserSshKeyCreate({ body: { name, description, publicKey } })
  const nics = numbers(limits.instance.nics).map((i) => ({
    name: `n${i}`,
    description,
    vpc_name: 'default',
    subnet_name: i === 0 ? 'default' : `s${i}`,
    transit_ips: numbers(limits.nic.transitIps).map((j) => `fd00:${i}:${j.toString(16)}::/48`),
  }))
  for (const [i, { subnet_name: name }] of nics.entries())
    if (i > 0)
      await api.vpcSubnetCreate({
        query: { project, vpc: 'default' },
        body: { name, description: '', ipv4Block: `10.${i}.0.0/16` },
      })
  const bodyOf = (serial: number) => ({
    name: `i${serial}`,
    description,
    hostname: 'h'.repeat(63),
    ncpus: 1,
    memory: GiB,
    start: false,
    user_data: Buffer.alloc(limits.instance.userData).toString('base64'),
    network_interfaces: { type: 'create', params: nics },
    disks: numbers(limits.instance.disks).map((i) => ({
      type: 'create',
      name: `i${serial}-${i}`,
      description,
      size: GiB,
      disk_source: { type: 'blank', block_size: 512 },
    })),
    ssh_public_keys: keys,
  })
  return (serial) => ({
    method: 'POST',
    path: `/v1/instances?project=${project}`,
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify(bodyOf(serial)),
  })
}
