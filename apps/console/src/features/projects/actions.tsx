import { taskPreview } from '@purlin/contract/operations/tasks/tasks'
import { errorMessage } from '#/api/errors.ts'
import { sendIfThere } from '#/api/send.ts'
import { paths, sections } from '#/lib/addresses.ts'
import { plainActions } from '#/resource/actions/actions.tsx'
import { closeConfirm } from '#/resource/actions/confirm.ts'
import { beginTask, followTask, taskRequest } from '#/resource/actions/runTask.ts'
import { reload } from '#/resource/kind.ts'
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

const type = { kind: 'project', action: 'delete_all' } as const

/** The contents of the project, with links to the lists where they can be deleted. */
async function refusal({ id, name }: { id: string; name: string }) {
  const held = (await contentsOf(name)).filter(({ count }) => count > 0)
  if (held.length === 0) return undefined
  const contents = (
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
  const body = { ...type, ids: [id] }
  const preview = await sendIfThere(taskPreview, { body }).catch((error: unknown) => errorMessage(error))
  if (typeof preview === 'string' || !preview) {
    const why = preview && <p>All of it cannot be deleted at once: {preview}</p>
    return {
      reason: (
        <>
          {contents}
          {why}
        </>
      ),
    }
  }
  const of = { ids: [id], digest: preview.digest }
  return {
    reason: contents,
    all: {
      note: 'Or delete the project with all of its contents. Instances that run are stopped first. This runs as a task, and Activity shows its progress.',
      typeToConfirm: name,
      request: taskRequest(type, of),
      run: async () => {
        const task = await beginTask(type, of)
        const texts = { noun: 'step', done: 'done', after: () => reload(kinds.project) }
        // Without a connection the end is not reported; the activity panel has it.
        if (task) void followTask(task, texts).catch(() => undefined)
      },
    },
  }
}
