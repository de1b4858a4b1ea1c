import { projectDelete, projectList, projectView } from '@purlin/contract/operations/projects'
import { vpcDelete, vpcList, vpcSubnetDelete, vpcSubnetList } from '@purlin/contract/operations/networks'
import type { Result } from '@purlin/contract/op'
import { useNavigate } from '@tanstack/react-router'
import { invalidate, remember } from '../../../api.ts'
import { send } from '../../../send.ts'
import { useProjectRole } from '../../../parts/access/useProjectRole.ts'
import { confirmAction } from '../../../parts/confirm.ts'
import { copyWithToast } from '../../../parts/copy.ts'
import { paths } from '../../../paths.ts'
import { Highlight } from '../../../ui/Highlight.tsx'
import type { MenuItem } from '../../../ui/menuItems.ts'
import { RowMenu } from '../../../ui/RowMenu.tsx'
import { addToast } from '../../../ui/toast.ts'
import { contentsOf, contentsWords } from './-projectContents.ts'

export type Project = Result<typeof projectList>['items'][number]

/**
 * A new project comes with a default VPC, which would keep it from being deleted. Untouched – it is the
 * only VPC and holds only its default subnet – it goes with the project; anything else stays and is named.
 */
async function removeUntouchedNetwork(project: string): Promise<void> {
  const { items: vpcs } = await send(vpcList, { query: { project, limit: 2 } })
  const [vpc] = vpcs
  if (vpcs.length !== 1 || vpc?.name !== 'default') return
  const { items: subnets } = await send(vpcSubnetList, { query: { project, vpc: 'default', limit: 2 } })
  const onlyDefault = subnets.length === 0 || (subnets.length === 1 && subnets[0]?.name === 'default')
  if (!onlyDefault) return
  for (const subnet of subnets)
    await send(vpcSubnetDelete, { params: { subnet: subnet.name }, query: { project, vpc: 'default' } })
  await send(vpcDelete, { params: { vpc: 'default' }, query: { project } })
}

/** Deletes a project, and with it an untouched default VPC – but only if nothing else would keep the project. */
async function deleteProject(project: string): Promise<void> {
  try {
    await send(projectDelete, { params: { project } })
  } catch (error) {
    if (!(error instanceof Error) || !error.message.endsWith('contains a vpc: default')) throw error
    await removeUntouchedNetwork(project)
    await send(projectDelete, { params: { project } })
  }
}

async function askToDelete({ name }: Project): Promise<void> {
  const contents = await contentsOf(name)
  const held = contentsWords(contents)
  confirmAction({
    modalTitle: 'Delete project',
    modalContent: (
      <>
        <p>
          Are you sure you want to delete <Highlight>{name}</Highlight>? Its default VPC goes with it as long
          as nothing was added to that.
        </p>
        {held && (
          <p>
            It holds <Highlight>{held}</Highlight>. A project can be deleted only once all of that is gone.
          </p>
        )}
      </>
    ),
    errorTitle: 'Could not delete project',
    actionType: 'danger',
    typeToConfirm: name,
    doAction: async () => {
      await deleteProject(name)
      await invalidate(projectList)
      addToast({
        content: (
          <>
            Project <Highlight>{name}</Highlight> deleted
          </>
        ),
      })
    },
  })
}

/** The row actions of a project. */
export function ProjectMenu({ project }: { project: Project }) {
  const navigate = useNavigate()
  const refused = useProjectRole(project.name).lacks('admin')
  const reason = refused ? { disabledReason: refused } : {}
  const edit = () => {
    remember(projectView, { params: { project: project.name } }, project)
    void navigate({ href: paths.projectEdit(project.name) })
  }
  const items: MenuItem[] = [
    { label: 'Copy ID', onAction: () => void copyWithToast(project.id, 'Project ID') },
    { label: 'Edit', onAction: edit, ...reason },
    { label: 'Delete', danger: !refused, onAction: () => void askToDelete(project), ...reason },
  ]
  return <RowMenu items={items} />
}
