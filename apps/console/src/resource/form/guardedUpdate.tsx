/** Saving an edit form on the condition that no other user has changed the same values since it was filled. */
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { useRef, useState, type ReactNode } from 'react'
import type { FieldValues, UseFormReturn } from 'react-hook-form'
import { requestTo, type ApiRequest } from '#/api/request.ts'
import { isSame, rewrite, type Rewrite } from '#/api/rewrite.ts'
import { argsFor } from '#/api/send.ts'
import { ExplainedError } from '#/api/errors.ts'
import { labelOf } from '#/lib/text.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Dash } from '#/ui/value/Dash.tsx'

type Body<O extends OpShape> = Args<O> extends { body: infer B } ? B : never

/** Another user has changed the values that the form edits. Nothing was saved. */
class ChangedMeanwhile extends ExplainedError {
  readonly current: object
  constructor(current: object) {
    super(
      'Another user has changed this since you opened it. Your changes were not saved. Compare them with the present values.',
    )
    this.current = current
  }
}

/**
 * Writes only if the values are as they were `seen`; throws ChangedMeanwhile otherwise. Changes of anything else do
 * not matter: they stay.
 */
export const updateIfAsSeen = <V extends OpShape, U extends OpShape>(
  target: Rewrite<V, U>,
  { valuesOf, seen, body }: { valuesOf: (row: Result<V>) => object; seen: object; body: Body<U> },
): Promise<Result<U>> =>
  rewrite(target, (now) => {
    if (!isSame(valuesOf(now), seen)) throw new ChangedMeanwhile(valuesOf(now))
    return body
  })

interface GuardedUpdate<U extends OpShape, F> {
  save: (body: Body<U>) => Promise<Result<U>>
  request: (body: Body<U>) => ApiRequest<U>
  notice: ReactNode
  restoring: (changed: Result<U>, bodyOf: (values: F) => Body<U>) => () => Promise<Result<U>>
}

/**
 * `save` for the form's submit, its `request` without the condition, the `notice` that shows what others have saved while the form was open, and what puts
 * the values back that a save has just replaced, unless others have changed them since.
 */
export function useGuardedUpdate<V extends OpShape, U extends OpShape, F extends FieldValues>(
  target: Rewrite<V, U>,
  {
    form,
    row,
    valuesOf,
  }: { form: UseFormReturn<F>; row: Result<V>; valuesOf: (row: Result<V>) => Partial<F> },
): GuardedUpdate<U, F> {
  const seen = useRef<object>(valuesOf(row))
  const [current, setCurrent] = useState<Partial<F>>()
  const save = async (body: Body<U>) => {
    try {
      return await updateIfAsSeen(target, { valuesOf, seen: seen.current, body })
    } catch (error) {
      if (error instanceof ChangedMeanwhile) {
        // Once shown, it has been seen: saving again replaces it.
        seen.current = error.current
        setCurrent(error.current)
      }
      throw error
    }
  }
  const take = () => {
    form.reset({ ...form.getValues(), ...current })
    setCurrent(undefined)
  }
  return {
    save,
    request: (body) => requestTo(target.update, argsFor(target.update, { ...(target.args as object), body })),
    notice: current && <CurrentValues values={current} onTake={take} />,
    restoring: (changed, bodyOf) => {
      const before = bodyOf(seen.current as F)
      return () =>
        updateIfAsSeen(target, { valuesOf, seen: valuesOf(changed as unknown as Result<V>), body: before })
    },
  }
}

function CurrentValues({ values, onTake }: { values: object; onTake: () => void }) {
  return (
    <Notice title="Present values">
      <dl className="my-1.5 grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        {Object.entries(values).map(([field, value]) => (
          <div key={field} className="contents">
            <dt className="text-secondary">{labelOf(field)}</dt>
            <dd className="wrap-anywhere">{String(value) === '' ? <Dash /> : [value].flat().join(', ')}</dd>
          </div>
        ))}
      </dl>
      <p className="mb-2 text-secondary">Submitting again replaces it with what you have entered.</p>
      <Button size="small" onClick={onTake}>
        Use these values
      </Button>
    </Notice>
  )
}
