/** The handlers of settings, of which there is one in its place. */
import type { OperationName, Operations } from '@purlin/contract/operations'
import type { Parsed, Result } from '@purlin/contract/op'
import type { BodyOf, Ctx, Family } from '#/context.ts'

/** The names of settings: what can be viewed and updated but not listed. */
type SettingName = {
  [K in OperationName]: K extends `${infer N}View`
    ? `${N}Update` extends OperationName
      ? `${N}List` extends OperationName
        ? never
        : N
      : never
    : never
}[OperationName]
type ViewOf<N extends SettingName> = Operations[`${N}View`]
type Updated<N extends SettingName> = Result<Operations[`${N}Update`]>

interface Rules<N extends SettingName, Of> {
  /** Finds what the setting is of, and checks the operation's permission there. Throws 400, 403, 404. */
  of: (ctx: Ctx, input: Parsed<ViewOf<N>>) => Promise<Of> | Of
  view: (ctx: Ctx, of: Of) => Promise<Result<ViewOf<N>>> | Result<ViewOf<N>>
  update: (ctx: Ctx, of: Of, body: BodyOf<`${N}Update`>) => Promise<Updated<N>>
}

/** The handlers of a setting's View and Update. */
export const setting = <const N extends SettingName, Of>(
  name: N,
  { of, view, update }: Rules<N, Of>,
): Family<`${N}View` | `${N}Update`> => {
  type Input = Parsed<ViewOf<N>> & { body: BodyOf<`${N}Update`> }
  const handlers = {
    [`${name}View`]: async (ctx: Ctx, input: Input) => view(ctx, await of(ctx, input)),
    [`${name}Update`]: async (ctx: Ctx, input: Input) => update(ctx, await of(ctx, input), input.body),
  }
  // Both names are made of one, which the type checker cannot follow.
  return handlers as object as Family<`${N}View` | `${N}Update`>
}
