import { paths } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { kinds } from '#/resource/kinds.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { contentsOf, contentsWords } from './contents.ts'

/** Actions on a project. */
export const projectActions = plainActions(kinds.project, undefined, {
  own: [{ id: 'activity', label: 'Activity', href: ({ name }) => paths.projectActivity(name) }],
  note: deleteNote,
  typeToConfirm: ({ name }) => name,
})

async function deleteNote([project]: readonly { name: string }[]) {
  const contents = contentsWords(project ? await contentsOf(project.name) : [])
  return (
    <>
      <p>Its default VPC goes with it as long as nothing was added to that.</p>
      {contents && (
        <p>
          It contains <Highlight>{contents}</Highlight>. A project can only be deleted when it is empty.
        </p>
      )}
    </>
  )
}
