/** Tags in lists: their column, and their change for many rows. */
import { hasTags } from '@purlin/contract/rules/lists'
import type { Tags } from '@purlin/contract/rules/tags'
import { lazily } from '#/lib/lazily.tsx'
import type { Column } from '#/ui/table/columns.ts'
import type { Action } from '../actions/actions.tsx'
import { fleetRoleFor, roleFor, type Identified, type Kind, type KindList } from '../kind.ts'
import { tagOperations, type TaggedName } from './operations.ts'
import { TagBadges } from './TagBadges.tsx'

const TagsDialog = lazily(() => import('./TagsDialog.tsx'), 'TagsDialog')
const ChangeTagsDialog = lazily(() => import('./ChangeTagsDialog.tsx'), 'ChangeTagsDialog')

type MayHaveTags = { tags?: Tags | undefined }
const tagsOf = (row: Identified): Tags | undefined => (row as MayHaveTags).tags
const fewTags = 2

const isTagged = <L extends KindList>(kind: Kind<L>): kind is Kind<L> & { name: TaggedName } =>
  hasTags(kind.name)

const columnId = 'tags'

/** The columns of a list, with the tags before the last one if the kind has some. `list` is its address. */
export function withTagsColumn<L extends KindList, R extends Identified>(
  kind: Kind<L>,
  columns: readonly Column<R>[],
  list: string,
): readonly Column<R>[] {
  if (!isTagged(kind)) return columns
  const column: Column<R> = {
    id: columnId,
    header: 'tags',
    spare: 2,
    cell: (row) => <TagBadges tags={tagsOf(row)} list={list} most={fewTags} />,
  }
  return [...columns.slice(0, -1), column, ...columns.slice(-1)]
}

/** The columns without that of tags if no row has any. */
export const ofRows = <R extends Identified>(
  columns: readonly Column<R>[],
  rows: readonly R[],
): readonly Column<R>[] =>
  rows.some((row) => Object.keys(tagsOf(row) ?? {}).length > 0)
    ? columns
    : columns.filter(({ id }) => id !== columnId)

/** The change of tags of one row and of several, if the kind has tags. */
export const tagActions = <L extends KindList, R extends Identified>(
  kind: Kind<L>,
  project: string,
): Action<R>[] =>
  isTagged(kind)
    ? [
        {
          id: 'changeTags',
          label: 'Change tags',
          role: roleFor(tagOperations[kind.name]),
          fleetRole: fleetRoleFor(tagOperations[kind.name]),
          dialog: (row, close) => <TagsDialog key={row.id} kind={kind} row={row} onDismiss={close} />,
          formForMany: (chosen) => <ChangeTagsDialog kind={kind} project={project} chosen={chosen} />,
        },
      ]
    : []
