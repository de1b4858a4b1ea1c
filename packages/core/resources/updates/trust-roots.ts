/** Root documents of publishers: the repositories that continue one are accepted. */
import { limits } from '@purlin/contract/rules/limits'
import type { Family, RequestContext } from '#/context.ts'
import type { TrustRootTable } from '#/db/tables.ts'
import { newRowId } from '#/db/row-id.ts'
import { fault } from '#/faults.ts'
import { permit } from '#/auth/resolve.ts'
import { RepositoryRefused } from '#/ports.ts'
import { plain } from '../kind/plain.ts'
import { checkRoom } from '../kind/room.ts'
import { insertChild } from '../kind/rows.ts'
import { updatesOf } from './update-files.ts'

const view = ({ id, timeCreated, document }: TrustRootTable) => ({
  id,
  timeCreated: new Date(timeCreated),
  rootRole: JSON.parse(document) as unknown,
})

const { handlers } = plain('systemUpdateTrustRoot', { view }, ['List', 'View', 'Delete'])

export const trustRoots: Family<keyof typeof handlers | 'systemUpdateTrustRootCreate'> = {
  ...handlers,

  systemUpdateTrustRootCreate: {
    async withoutTransaction(request, { query, body }) {
      await request.transaction('read', (ctx) => Promise.resolve(permit(ctx)))
      const document = JSON.stringify(body)
      await checkRoot(request, document)
      return request.transaction('write', async (ctx) => {
        permit(ctx)
        const { tx, world, now } = ctx
        const trusted = await tx.selectFrom('systemUpdateTrustRoot').selectAll().orderBy('id').execute()
        if (query.unlessTrusted) refuseTrusted(trusted, document)
        const { trustRoots: most } = limits.update
        checkRoom(trusted.length, { noun: 'trust root', holder: 'rack', most })
        const row = { id: newRowId(world), document, timeCreated: now }
        return view(await insertChild(ctx, 'systemUpdateTrustRoot', row))
      })
    },
  },
}

/** Throws 409 if one of these roots has the content of a document. Signatures and the layout of the text may differ. */
function refuseTrusted(trusted: readonly TrustRootTable[], document: string): void {
  const content = contentOf(document)
  const same = trusted.find((one) => contentOf(one.document) === content)
  if (!same) return
  const added = new Date(same.timeCreated).toISOString().slice(0, 10)
  throw fault.conflict(`this root document is trusted already: it was added on ${added} as ${same.id}`)
}

/** The signed part of a root document as a text that is the same for the same content. */
const contentOf = (document: string): string => {
  const { signed } = JSON.parse(document) as { signed?: unknown }
  return JSON.stringify(signed, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

/** Throws 400 unless a document is signed by its own keys. */
async function checkRoot({ world }: Pick<RequestContext, 'world'>, document: string): Promise<void> {
  const { root } = limits.update
  if (document.length > root) throw fault.invalid(`a root document has at most ${root} characters`)
  try {
    await updatesOf(world).verifier.checkRoot(document)
  } catch (error) {
    throw error instanceof RepositoryRefused ? fault.invalid(error.message) : error
  }
}
