import { paths, sections } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { closeConfirm } from '#/resource/actions/confirm.ts'
import { kinds } from '#/resource/kinds.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { contentsOf, countWords } from './contents.ts'

/** Actions on a project. */
export const projectActions = plainActions(kinds.project, undefined, {
  own: [{ id: 'activity', label: 'Activity', href: ({ name }) => paths.projectActivity(name) }],
  note: () => 'Its default VPC is deleted with it, unless something was added to that VPC.',
  refusal,
  typeToConfirm: ({ name }) => name,
})

/** The contents of the project, with links to the lists where they can be deleted. */
async function refusal({ name }: { name: string }) {
  const held = (await contentsOf(name)).filter(({ count }) => count > 0)
  if (held.length === 0) return undefined
  return (
    <>
      <p>
        Project <Highlight>{name}</Highlight> cannot be deleted while it contains anything but its default
        VPC. Delete these first:
      </p>
      <ul className="list-disc pl-5 leading-6 text-ink">
        {held.map((one) => (
          <li key={one.kind}>
            {one.kind === 'affinityGroup' ? (
              countWords(one)
            ) : (
              <TextLink
                href={sections[one.kind === 'imageImport' ? 'image' : one.kind].list(name)}
                onClick={closeConfirm}
              >
                {countWords(one)}
              </TextLink>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
