import { op } from '../op.ts'
import { object, ref } from '../schema.ts'
import { identity, identityCreate, identityUpdate, ofProject } from '../schemas/identity.ts'
import { byNameOf, page } from '../schemas/page.ts'
import { Policy } from './policies.ts'

const tag = 'projects'

export const Project = ref('Project', object(identity))
const path = object(ofProject)

export const projectList = op({
  method: 'GET', path: '/v1/projects', allow: 'silo.member', ok: 200, tag, summary: 'List projects',
  query: object(byNameOf('project')), response: ref('ProjectResultsPage', page(Project)),
})
export const projectCreate = op({
  method: 'POST', path: '/v1/projects', allow: 'silo.collaborator', ok: 201, tag, summary: 'Create a project',
  body: ref('ProjectCreate', object(identityCreate)), response: Project,
})
export const projectView = op({
  method: 'GET', path: '/v1/projects/{project}', allow: 'project.viewer', ok: 200, tag, summary: 'Show a project',
  params: path, response: Project,
})
export const projectUpdate = op({
  method: 'PUT', path: '/v1/projects/{project}', allow: 'project.admin', ok: 200, tag, summary: 'Update a project',
  params: path, body: ref('ProjectUpdate', object(identityUpdate)), response: Project,
})
export const projectDelete = op({
  method: 'DELETE', path: '/v1/projects/{project}', allow: 'project.admin', ok: 204, tag, summary: 'Delete a project',
  params: path,
})
export const projectPolicyView = op({
  method: 'GET', path: '/v1/projects/{project}/policy', allow: 'project.viewer', ok: 200, tag,
  summary: 'Show who has which role on a project', params: path, response: Policy,
})
export const projectPolicyUpdate = op({
  method: 'PUT', path: '/v1/projects/{project}/policy', allow: 'project.admin', ok: 200, tag,
  summary: 'Replace the roles on a project', params: path, body: Policy, response: Policy,
})
