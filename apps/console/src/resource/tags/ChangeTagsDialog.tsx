import { tagList } from '@purlin/contract/operations/lists/tags'
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { tagKeyProblem } from '@purlin/contract/rules/tags'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { invalidate, query } from '#/api/query.ts'
import { tagsIn, tagsProblem } from '#/resource/form/tags.ts'
import { useDebounced } from '#/resource/list/useDebounced.ts'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import type { Kind } from '../kind.ts'
import type { Chosen } from '../actions/actions.tsx'
import { TaskForm } from '../actions/TaskForm.tsx'
import type { TaggedName } from './operations.ts'

interface ChangeTagsDialogProps {
  kind: Pick<Kind, 'noun' | 'list'> & { name: TaggedName }
  /** The project of the resources; none for those of a silo. */
  project: string
  chosen: Chosen
}

const fewKeys = 12
const keysIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter(Boolean))]

/** The reason why a text has no keys of tags. */
function keysProblem(text: string): string | undefined {
  const keys = keysIn(text)
  const wrong = keys.find((key) => tagKeyProblem(key) !== undefined)
  if (wrong !== undefined) return `${wrong}: ${tagKeyProblem(wrong)}`
  return keys.length > limits.tags.count ? `At most ${limits.tags.count} keys` : undefined
}

function changesOf({ set, remove }: { set: string; remove: string }) {
  const tags = tagsIn(set)
  const keys = keysIn(remove)
  const problem = tagsProblem(set) ?? keysProblem(remove)
  if (problem !== undefined) return { missing: problem }
  const both = keys.find((key) => key in tags)
  if (both !== undefined) return { missing: `${both} is to be both set and removed` }
  const hasSome = Object.keys(tags).length > 0
  if (!hasSome && keys.length === 0) return { missing: 'Enter a tag to set, or a key to remove' }
  return { tags: { ...(hasSome ? { set: tags } : {}), ...(keys.length > 0 ? { remove: keys } : {}) } }
}

/** Sets and removes tags of many resources. Their other tags stay. */
export function ChangeTagsDialog({ kind, project, chosen }: ChangeTagsDialogProps) {
  const form = useForm({ defaultValues: { set: '', remove: '' } })
  const set = useDebounced(useWatch({ control: form.control, name: 'set' }))
  const remove = useDebounced(useWatch({ control: form.control, name: 'remove' }))
  const { data: used } = useQuery({
    ...query(tagList, { query: { ...(project === '' ? {} : { project }), limit: fewKeys } }),
    throwOnError: false,
  })
  const keys = used?.items.map(({ key }) => key) ?? []
  const more = used?.nextPage == null ? '' : ', …'
  return (
    <TaskForm
      title={`Change tags of ${kind.noun}s`}
      submitLabel="Change tags of"
      task={{ kind: kind.name, action: 'change_tags' }}
      chosen={chosen}
      texts={{
        noun: contractKinds[kind.name].noun,
        done: 'tagged',
        doing: 'Changed tags of',
        after: () => invalidate(kind.list),
      }}
      form={form}
      parameters={changesOf({ set, remove })}
    >
      <TextAreaControl
        name="set"
        control={form.control}
        label="Set"
        rows={3}
        mono
        hint="One per line, such as env=prod. All other tags stay."
        validate={tagsProblem}
      />
      <TextControl
        name="remove"
        control={form.control}
        label="Remove keys"
        mono
        hint={keys.length > 0 ? `In use: ${keys.join(', ')}${more}` : 'Separated by spaces.'}
        validate={keysProblem}
      />
    </TaskForm>
  )
}
