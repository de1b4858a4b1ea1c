import { op } from '#/op.ts'
import { kinds } from '#/rules/kinds.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, enumOf, integer, nullable, object, optional, record, ref, string, time, unlimited } from '#/schema.ts'
import { identity, ofProject, kept, keptGiven } from '#/schemas/identity.ts'
import { Name, Uuid } from '#/schemas/scalar.ts'
import { Policy } from '../access/policies.ts'
import { plainOps } from '../plain.ts'
import { settingOps } from '../setting.ts'
import { QuotaCounts, VirtualResourceCounts } from '../silos/silos.ts'

const tag = 'projects'

const count = integer({ min: 0, format: 'uint64' })
const ProjectUse = ref('ProjectUse', object({
  instances: count, instancesByState: record(count, unlimited), provisioned: VirtualResourceCounts,
  timeLastChanged: optional(time()),
}))
export const Project = ref('Project', object({ ...identity, ...kept, utilization: optional(ProjectUse) }))
const path = object(ofProject)

export const { projectList, projectCreate, projectView, projectUpdate, projectDelete } = plainOps('project', {
  response: Project, tag, list: { utilization: optional(boolean()) }, create: keptGiven, update: keptGiven,
  allow: { List: 'silo.member', View: 'project.viewer', Update: 'project.admin', Delete: 'project.admin' },
})
export const { projectPolicyView, projectPolicyUpdate } = settingOps('projectPolicy', {
  path: '/v1/projects/{project}/policy', params: path, tag, view: 'project.viewer', update: 'project.admin',
  body: Policy, response: Policy,
})

/** The kinds that the overview of a project counts. */
export const countedKinds = ['instance', 'disk', 'snapshot', 'image', 'vpc', 'floatingIp'] as const
const types = countedKinds.map((kind) => kinds[kind].type)
const Type = enumOf(types)

export const projectOverview = op({
  method: 'GET', path: '/v1/projects/{project}/overview', allow: 'project.viewer', ok: 200, tag,
  params: path,
  response: ref(
    'ProjectOverview',
    object({
      resources: array(
        object({
          kind: Type,
          totalItems: optional(count),
          totals: record(record(count, unlimited), unlimited),
        }),
        unlimited,
      ),
      provisioned: VirtualResourceCounts,
      siloProvisioned: VirtualResourceCounts,
      siloCapacity: QuotaCounts,
      failures: array(
        object({
          kind: enumOf([...types, kinds.schedule.type]),
          id: Uuid,
          name: Name,
          state: string(unlimited),
          message: optional(nullable(string(unlimited))),
        }),
        { count: limits.overview.failures, noun: 'failures' },
      ),
    }),
  ),
})
