/** Actions on the link between a pool and a silo. */
import { projectIpPoolList } from '@purlin/contract/operations/addresses/ip-pools'
import {
  ipPoolSiloLink,
  ipPoolSiloList,
  ipPoolSiloUnlink,
  ipPoolSiloUpdate,
} from '@purlin/contract/operations/addresses/system-ip-pools'
import { siloIpPoolList } from '@purlin/contract/operations/silos/system-silos'
import { ExplainedError } from '#/api/errors.ts'
import { invalidate, load } from '#/api/query.ts'
import { requestTo, sendRequest, type ApiRequest } from '#/api/request.ts'
import { copyId, type Action } from '#/resource/actions/actions.tsx'
import { confirmAction } from '#/resource/actions/confirm.ts'
import { undoable } from '#/resource/actions/undo.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { toastFailure } from '#/resource/actions/toasts.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { poolsOfSiloQuery, type SiloLink } from './operatorQueries.ts'

/** A silo that a pool is linked to; its id instead of a name that could not be read. */
export type LinkedSilo = SiloLink & { name: string }

/** A pool that a silo may use. */
interface LinkedPool {
  id: string
  name: string
  isDefault: boolean
}

const changed = () => invalidate(ipPoolSiloList, siloIpPoolList, projectIpPoolList)

/** The name of the default pool of a silo, by name or id; undefined if it has none. */
const defaultOf = async (silo: string) =>
  (await load({ ...poolsOfSiloQuery(silo), staleTime: 0 })).find(({ isDefault }) => isDefault)?.name

const defaultRequest = (pool: string, silo: string, isDefault: boolean) =>
  requestTo(ipPoolSiloUpdate, { params: { pool, silo }, body: { isDefault } })
const setDefault = (pool: string, silo: string, isDefault: boolean) =>
  sendRequest(defaultRequest(pool, silo, isDefault))

export const linkActions = (pool: string): readonly Action<LinkedSilo>[] => [
  {
    id: 'makeDefault',
    label: 'Make default',
    role: 'admin',
    isOffered: ({ isDefault }) => !isDefault,
    command: null,
    onAction: (silo) => askToMakeDefault(pool, silo),
  },
  {
    id: 'clearDefault',
    label: 'Clear default',
    role: 'admin',
    isDanger: true,
    isOffered: ({ isDefault }) => isDefault,
    command: null,
    onAction: (silo) => askToClearDefault(pool, silo),
  },
  {
    id: 'unlink',
    label: 'Unlink',
    role: 'admin',
    isDanger: true,
    command: null,
    onAction: (silo) => askToUnlink(pool, silo),
  },
]

/** The same for the pools of a silo. */
export const linksOfSilo = ({
  id: siloId,
  name,
}: {
  id: string
  name: string
}): readonly Action<LinkedPool>[] => {
  const actions = (pool: string) => linkActions(pool)
  const linkOf = (pool: LinkedPool): LinkedSilo => ({
    siloId,
    name,
    ipPoolId: pool.id,
    isDefault: pool.isDefault,
  })
  return [
    copyId('IP pool'),
    ...linkActions('').map(({ id, label, role, isDanger, isOffered }, i) => ({
      id,
      label,
      ...(role ? { role } : {}),
      ...(isDanger ? { isDanger } : {}),
      ...(isOffered ? { isOffered: (pool: LinkedPool) => isOffered(linkOf(pool)) } : {}),
      command: null,
      onAction: (pool: LinkedPool) => actions(pool.name)[i]?.onAction?.(linkOf(pool)),
    })),
  ]
}

interface DefaultChange {
  silo: LinkedSilo
  /** The names of the default pools before and after; undefined for none. */
  before: string | undefined
  after: string | undefined
}

/** Takes the change of a default back, unless the default is another one by now. */
async function restoreDefault({ silo, before, after }: DefaultChange): Promise<void> {
  if ((await defaultOf(silo.siloId)) !== after)
    throw new ExplainedError('Another user has changed the default pool of the silo.')
  if (before !== undefined) await setDefault(before, silo.siloId, true)
  else if (after !== undefined) await setDefault(after, silo.siloId, false)
  await changed()
}

/** The toast of a change that takes the default from no silo but this one. */
const defaultToast = (pool: string, what: string, change: DefaultChange) => {
  const silo = change.silo.name
  const { before, after } = change
  const undone = before ? (
    <Done pool={before} silo={silo} what="is the default pool again of" />
  ) : (
    <Done pool={after ?? pool} silo={silo} what="is no longer the default pool of" />
  )
  return undoable(
    { content: <Done pool={pool} silo={silo} what={what} /> },
    { run: () => restoreDefault(change), undone },
  )
}

async function askToMakeDefault(pool: string, silo: LinkedSilo): Promise<void> {
  const { siloId, name } = silo
  // The dialog opens even if this fails to load.
  const known = await defaultOf(siloId).then(
    (former) => ({ former }),
    () => undefined,
  )
  const former = known?.former
  const verb = former === undefined ? 'make' : 'change'
  confirmAction({
    modalTitle: former === undefined ? 'Make default' : 'Change default',
    modalContent: former ? (
      <p>
        Change the default pool of silo <Highlight>{name}</Highlight> from <Highlight>{former}</Highlight> to{' '}
        <Highlight>{pool}</Highlight>? The silo can still use the former one by name.
      </p>
    ) : (
      <p>
        Make <Highlight>{pool}</Highlight> the default pool of silo <Highlight>{name}</Highlight>? It is used
        where no pool is named.
      </p>
    ),
    errorTitle: `Could not ${verb} default`,
    actionType: 'primary',
    request: defaultRequest(pool, siloId, true),
    doAction: async () => {
      await changed()
      const what = 'is the default pool of'
      addToast(
        known
          ? defaultToast(pool, what, { silo, before: former, after: pool })
          : { content: <Done pool={pool} silo={name} what={what} /> },
      )
    },
  })
}

function askToClearDefault(pool: string, silo: LinkedSilo): void {
  const { siloId, name } = silo
  confirmAction({
    modalTitle: 'Clear default',
    modalContent: (
      <p>
        Leave silo <Highlight>{name}</Highlight> without a default pool? Its users must then name a pool when
        they allocate an address, and new instances have no way out.
      </p>
    ),
    errorTitle: 'Could not clear default',
    actionType: 'danger',
    request: defaultRequest(pool, siloId, false),
    doAction: async () => {
      await changed()
      const change = { silo, before: pool, after: undefined }
      addToast(defaultToast(pool, 'is no longer the default pool of', change))
    },
  })
}

function askToUnlink(pool: string, { siloId, name }: LinkedSilo): void {
  confirmAction({
    modalTitle: 'Unlink silo',
    modalContent: (
      <>
        <p>
          Unlink silo <Highlight>{name}</Highlight> from <Highlight>{pool}</Highlight>? Its users can no
          longer allocate addresses from the pool, and its gateways lose it.
        </p>
        <p>This fails while addresses of the pool are in use in the silo.</p>
      </>
    ),
    errorTitle: 'Could not unlink silo',
    actionType: 'danger',
    request: requestTo(ipPoolSiloUnlink, { params: { pool, silo: siloId } }),
    doAction: async () => {
      await changed()
      addToast({ content: <Done pool={pool} silo={name} what="is no longer linked to" /> })
    },
  })
}

const Done = ({ pool, silo, what }: { pool: string; silo: string; what: string }) => (
  <>
    IP pool <Highlight>{pool}</Highlight> {what} silo <Highlight>{silo}</Highlight>
  </>
)

interface NewLink {
  silo: string
  isDefault: boolean
}

/** The requests that link a pool to a silo; a former default is replaced by the second one. */
export async function linkRequests(pool: string, { silo, isDefault }: NewLink): Promise<ApiRequest[]> {
  const takesOver = isDefault && (await defaultOf(silo)) !== undefined
  const body = { silo, isDefault: isDefault && !takesOver }
  const link = requestTo(ipPoolSiloLink, { params: { pool }, body })
  return takesOver ? [link, defaultRequest(pool, silo, true)] : [link]
}

/** Links a pool to a silo, as its default one if requested. Throws if the link fails. */
export async function linkSilo(pool: string, of: NewLink): Promise<void> {
  const [link, takeOver] = await linkRequests(pool, of)
  if (link) await sendRequest(link)
  addToast({ content: <Done pool={pool} silo={of.silo} what="is linked to" /> })
  // The link exists by now, so this failure is reported separately.
  if (takeOver)
    await sendRequest(takeOver).catch((error: unknown) => toastFailure('Could not change default', error))
  await changed()
}
