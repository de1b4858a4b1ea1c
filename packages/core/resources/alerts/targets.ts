/** Where alerts are sent to. */
import { resolveInFleet } from '#/auth/resolve.ts'
import type { Ctx, World } from '#/context.ts'
import type {
  AlertDeliveryTable,
  AlertReceiverTable,
  AlertTable,
  Tx,
  WebhookSecretTable,
} from '#/db/tables.ts'
import { fault } from '#/faults.ts'

/** A receiver with what its deliveries need. */
export type Target = { id: string; name: string } & (
  | { kind: 'webhook'; endpoint: string; secrets: Pick<WebhookSecretTable, 'id' | 'secret'>[] }
  | { kind: 'email'; to: string[] }
)
export type TargetOf<K extends Target['kind']> = Extract<Target, { kind: K }>

/** One attempt to deliver an alert. */
export interface Sent extends Pick<AlertDeliveryTable, 'id' | 'alertId' | 'alertClass' | 'trigger'> {
  /** ms since 1970 */
  sentAt: number
  /** Undefined for a probe. */
  alert: AlertTable | undefined
}

export const kindOf = ({ toJson }: Pick<AlertReceiverTable, 'toJson'>): Target['kind'] =>
  toJson === null ? 'webhook' : 'email'

/** A receiver of one kind. Throws 404, and 400 for one of another kind. */
export async function resolveReceiver(
  ctx: Ctx,
  of: Target['kind'],
  nameOrId: string,
): Promise<AlertReceiverTable> {
  const row = await resolveInFleet(ctx, 'alertReceiver', nameOrId)
  if (kindOf(row) !== of) throw fault.otherReceiver(of)
  return row
}

/** The addresses of a receiver; none of a webhook. */
export const addressesOf = ({ toJson }: Pick<AlertReceiverTable, 'toJson'>): string[] =>
  toJson === null ? [] : JSON.parse(toJson)

/** A receiver by its id. */
export async function targetOf(tx: Tx, receiverId: string): Promise<Target | undefined> {
  const row = await tx
    .selectFrom('alertReceiver')
    .select(['id', 'name', 'endpoint', 'toJson'])
    .where('id', '=', receiverId)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, name, endpoint } = row
  if (kindOf(row) === 'email') return { id, name, kind: 'email', to: addressesOf(row) }
  const secrets = await tx
    .selectFrom('webhookSecret')
    .select(['id', 'secret'])
    .where('alertReceiverId', '=', receiverId)
    .orderBy('id')
    .execute()
  return { id, name, kind: 'webhook', endpoint, secrets }
}

/** The reason why this server sends no e-mail. */
export const mailProblem = ({ mail }: Pick<World, 'mail'>): string | null =>
  mail ? null : 'this control plane sends no e-mail: its operator can set --smtp-url and --mail-from'

/** The reason why nothing can be sent to a receiver, whose deliveries wait; null if it can. */
export function problemOf(world: Pick<World, 'mail'>, target: Target): string | null {
  if (target.kind === 'email') return mailProblem(world)
  return target.secrets.length > 0 ? null : 'receiver has no secrets, so delivery requests cannot be sent'
}

/** The deliveries of receivers to which something can be sent. */
export const sendable = (tx: Tx, { mail }: Pick<World, 'mail'>) =>
  tx.selectFrom('alertDelivery as one').where((eb) => {
    const hasSecret = eb
      .selectFrom('webhookSecret')
      .select('webhookSecret.id')
      .whereRef('webhookSecret.alertReceiverId', '=', 'one.alertReceiverId')
    const isByMail = eb
      .selectFrom('alertReceiver')
      .select('alertReceiver.id')
      .whereRef('alertReceiver.id', '=', 'one.alertReceiverId')
      .where('alertReceiver.toJson', 'is not', null)
    return eb.or([eb.exists(hasSecret), ...(mail ? [eb.exists(isByMail)] : [])])
  })
