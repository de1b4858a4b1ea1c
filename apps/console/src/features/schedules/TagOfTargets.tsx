import { tagList } from '@purlin/contract/operations/lists/tags'
import { countOf, kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { tagIn } from '@purlin/contract/rules/tags'
import type { ScheduleTarget } from '@purlin/contract/rules/time/schedules'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWatch, type Control } from 'react-hook-form'
import { query } from '#/api/query.ts'
import { kinds } from '#/resource/kinds.ts'
import { useDebounced } from '#/resource/list/useDebounced.ts'
import { ComboboxControl } from '#/ui/form/ComboboxControl.tsx'
import { tagProblem, type Values } from './schedule.ts'

interface TagProps {
  control: Control<Values>
  project: string
  of: ScheduleTarget
}

/** The tag of what a schedule is for: one of those in use, or one that is to come. */
export function TagOfTargets({ control, project, of }: TagProps) {
  const [typed, setTyped] = useState('')
  const items = useTagsInUse(project, useDebounced(typed))
  return (
    <div className="flex flex-col gap-1.5">
      <ComboboxControl
        name="tag"
        control={control}
        required
        mono
        allowCustom
        placeholder="env=test"
        items={items}
        onSearch={setTyped}
        hint="A key such as env, or a key with a value such as env=test."
        validate={tagProblem}
      />
      <Reach control={control} project={project} of={of} />
    </div>
  )
}

const most = 20

/** The keys that begin as what is typed or, once a key is typed with its `=`, its values. */
function useTagsInUse(project: string, typed: string) {
  const { key, value } = tagIn(typed)
  const { data } = useQuery({
    ...query(tagList, {
      query: {
        project,
        ...(value === undefined ? { prefix: key } : { tag: key, prefix: value }),
        limit: most,
      },
    }),
    throwOnError: false,
    placeholderData: keepPreviousData,
  })
  return (data?.items ?? []).map((one) => {
    const text = one.value === undefined ? one.key : `${one.key}=${one.value}`
    return { value: text, label: text }
  })
}

/** How many resources have the tag now, by the list that each run reads. */
function Reach({ control, project, of }: TagProps) {
  const tag = useDebounced(useWatch({ control, name: 'tag' }))
  const isTag = tagProblem(tag) === undefined
  const page = { project, filter: [`tag:${tag}`], limit: 1, total: true }
  const { list } = kinds[of]
  const { data } = useQuery({
    ...query(list as typeof kinds.instance.list, { query: page }),
    enabled: isTag,
    throwOnError: false,
  })
  const { noun } = contractKinds[of]
  const count = isTag ? data?.totalItems : undefined
  return (
    <p role="status" className="text-hint text-secondary empty:hidden">
      {count === 0 && `No ${noun} has this tag now. The schedule is for those that get it.`}
      {count !== undefined && count > 0 && `It is for ${countOf(count, noun)} now.`}
    </p>
  )
}
