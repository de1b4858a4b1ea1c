/** The rows outside of projects that an actor may see: those of its silo, its own, and pools linked to its silo. */
import type { Ctx } from '#/context.ts'

type Asker = Pick<Ctx, 'tx' | 'actor'>

export const visible = {
  silo: ({ tx }: Asker) => tx.selectFrom('silo').selectAll('silo'),
  siloUser: ({ tx, actor }: Asker) =>
    tx.selectFrom('siloUser').selectAll('siloUser').where('siloId', '=', actor.siloId),
  siloGroup: ({ tx, actor }: Asker) =>
    tx.selectFrom('siloGroup').selectAll('siloGroup').where('siloId', '=', actor.siloId),
  sshKey: ({ tx, actor }: Asker) =>
    tx.selectFrom('sshKey').selectAll('sshKey').where('siloUserId', '=', actor.userId),
  /** `isDefault` is the silo's choice. */
  ipPool: ({ tx, actor }: Asker) => poolsOfSilo(tx, actor.siloId),
}
/** The pools that a silo may use, and whether each is its default. */
export const poolsOfSilo = (tx: Asker['tx'], siloId: string) =>
  tx
    .selectFrom('ipPool')
    .innerJoin('ipPoolSilo', 'ipPoolSilo.ipPoolId', 'ipPool.id')
    .selectAll('ipPool')
    .select('ipPoolSilo.isDefault')
    .where('ipPoolSilo.siloId', '=', siloId)
export type VisibleKind = keyof typeof visible
