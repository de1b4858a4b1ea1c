/** Actions on floating IPs, from their list and from the page of an instance. */
import {
  floatingIpAttach,
  floatingIpDetach,
  floatingIpList,
  floatingIpView,
} from '@purlin/contract/operations/addresses/floating-ips'
import { ExplainedError } from '#/api/errors.ts'
import { reloadAddresses } from '#/features/external-ips/reload.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { send } from '#/api/send.ts'
import { paths } from '#/lib/addresses.ts'
import { Reference } from '#/resource/address/references.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import type { Confirmation, Refusal } from '#/resource/actions/confirmation.tsx'
import { doneToast, toastFailure } from '#/resource/actions/toasts.tsx'
import { kinds } from '#/resource/kinds.ts'
import { undoableToast } from '#/resource/actions/undo.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import type { FloatingIp } from '#/features/ip-pools/queries.ts'

type Known = Pick<FloatingIp, 'id' | 'name' | 'ip'>

const reload = () => reloadAddresses(floatingIpList, floatingIpView)

/** The instance that a floating IP leads to, as a link to its addresses. */
export const AttachedInstance = (props: {
  project: string
  id: FloatingIp['instanceId']
  inCell?: boolean
}) => (
  <Reference
    to="instance"
    {...props}
    hrefOf={(instance) => paths.instanceTab({ project: props.project, instance }, 'networking')}
  />
)

/** The request that points a floating IP at an instance, both by id. With `move`, it may lead to another one now. */
export const attachRequest = (id: string, instanceId: string, how: { move?: boolean } = {}) =>
  requestTo(floatingIpAttach, {
    params: { floatingIp: id },
    query: {},
    body: { kind: 'instance', parent: instanceId, ...how },
  })
export const detachRequest = ({ id }: Pick<Known, 'id'>) =>
  requestTo(floatingIpDetach, { params: { floatingIp: id }, query: {} })

async function attach(...to: Parameters<typeof attachRequest>): Promise<void> {
  await sendRequest(attachRequest(...to))
  await reload()
}

async function detach(id: string): Promise<void> {
  await sendRequest(detachRequest({ id }))
  await reload()
}

/** Throws if the floating IP no longer leads to the instance. */
async function checkAt(id: string, instanceId: string): Promise<void> {
  const now = await send(floatingIpView, { params: { floatingIp: id }, query: {} })
  if (now.instanceId !== instanceId)
    throw new ExplainedError('Another user has detached or moved the floating IP.')
}

async function detachFrom(id: string, instanceId: string): Promise<void> {
  await checkAt(id, instanceId)
  await detach(id)
}

const noun = 'Floating IP'

/** Points a floating IP at an instance, by id. */
export async function attachFloatingIp({ id, name }: Known, instanceId: string): Promise<void> {
  await attach(id, instanceId)
  const toast = { noun, name, done: 'attached', undone: 'detached again' }
  addToast(undoableToast(toast, () => detachFrom(id, instanceId)))
}

/** Points a floating IP at another instance, by id, without a time at which it has none. */
export async function moveFloatingIp({ id, name }: Known, at: { from: string; to: string }): Promise<void> {
  await checkAt(id, at.from)
  await attach(id, at.to, { move: true })
  const toast = { noun, name, done: 'moved', undone: 'moved back' }
  const back = async () => {
    await checkAt(id, at.to)
    await attach(id, at.from, { move: true })
  }
  addToast(undoableToast(toast, back))
}

/** Taking several from their instances. */
export const detachment: Confirmation<FloatingIp> = {
  noun: kinds.floatingIp.noun,
  verb: 'detach',
  done: 'detached',
  isDanger: true,
  note: () => 'Their instances will no longer be reachable at these addresses, which stay with the project.',
  task: { kind: 'floatingIp', action: 'detach' },
  request: detachRequest,
  after: reload,
}

/** Takes a floating IP from its instance, and offers to undo that. What fails is reported. */
export async function detachFloatingIp({
  id,
  name,
  instanceId,
}: Pick<Known, 'id' | 'name'> & Pick<FloatingIp, 'instanceId'>): Promise<void> {
  try {
    await detach(id)
    const toast = { noun, name, done: 'detached', undone: 'attached again' }
    addToast(
      instanceId ? undoableToast(toast, () => attach(id, instanceId)) : doneToast(noun, name, toast.done),
    )
  } catch (error) {
    toastFailure('Error detaching floating IP', error)
  }
}

/** The instance that prevents the deletion of a floating IP. */
export async function refusal(
  project: string,
  { name, ip, instanceId }: Pick<FloatingIp, 'name' | 'ip' | 'instanceId'>,
): Promise<Refusal | undefined> {
  if (!instanceId) return undefined
  const { attachedRefusal } = await import('#/resource/actions/attachedRefusal.tsx')
  const what = (
    <>
      Floating IP <Highlight>{name}</Highlight> <span className="mono text-ink">{ip}</span>
    </>
  )
  return attachedRefusal({ project, instanceId, what, tab: 'networking' })
}
