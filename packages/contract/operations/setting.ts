/** The operations of a setting, of which there is one in its place: a policy, quotas, the rules for tokens of a silo. */
import { op, type OpShape } from '../op.ts'

type Schema = NonNullable<OpShape['body']>

interface Setting {
  path: string
  /** The fields of the path. */
  params?: Schema
  /** Group in the OpenAPI document. */
  tag: string
  /** The permission to view it, and the one to update it. */
  view: OpShape['allow']
  update: OpShape['allow']
  /** The new values. */
  body: Schema
  response: Schema
}
type Shared<S extends Setting> = Omit<S, 'view' | 'update' | 'body'>
type Ops<N extends string, S extends Setting> = {
  readonly [K in `${N}View`]: Shared<S> & { readonly method: 'GET'; readonly allow: S['view']; readonly ok: 200 }
} & {
  readonly [K in `${N}Update`]: Shared<S> & {
    readonly method: 'PUT'; readonly allow: S['update']; readonly body: S['body']; readonly ok: 200
  }
}

/** The operations of a setting, under their names: View and Update. */
// @__NO_SIDE_EFFECTS__
export function settingOps<const N extends string, const S extends Setting>(name: N, definition: S): Ops<N, S> {
  const { view, update, body, ...shared }: Setting = definition
  const ops: Record<string, OpShape> = {
    [`${name}View`]: op({ ...shared, method: 'GET', allow: view, ok: 200 }),
    [`${name}Update`]: op({ ...shared, method: 'PUT', allow: update, body, ok: 200 }),
  }
  return ops as object as Ops<N, S>
}
