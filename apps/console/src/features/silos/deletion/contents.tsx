/** The content of a silo that prevents its deletion. */
import { siloContentsView } from '@purlin/contract/operations/silos/system-silos'
import { countOf } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { load } from '#/api/query.ts'
import { sendIfThere } from '#/api/send.ts'
import { sections } from '#/lib/addresses.ts'
import { closeConfirm } from '#/resource/actions/confirm.ts'
import type { Refusal } from '#/resource/actions/confirmation.tsx'
import { ownQueries } from '#/resource/role/useRole.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'

const { counted } = limits.lists

const words = (count: number, noun: string): string =>
  `${count < counted ? '' : 'at least '}${countOf(count, noun)}`

/** Says what a silo contains; undefined if nothing, or if the server does not say. */
export async function siloRefusal({ id, name }: { id: string; name: string }): Promise<Refusal | undefined> {
  const contents = await sendIfThere(siloContentsView, { params: { silo: id } })
  if (!contents) return undefined
  const held = [
    { noun: 'project', count: contents.projects, href: sections.project.list() },
    { noun: 'silo image', count: contents.images, href: sections.siloImage.list() },
  ].filter(({ count }) => count > 0)
  if (held.length === 0) return undefined
  // The lists of other silos are seen by their members alone.
  const { siloId } = await load(ownQueries.me())
  const isOwn = siloId === id
  return {
    reason: (
      <>
        <p>
          Silo <Highlight>{name}</Highlight> cannot be deleted while it contains projects or images.{' '}
          {isOwn ? 'Delete these first:' : 'Its administrators must delete these first:'}
        </p>
        <ul className="list-disc pl-5 leading-6 text-ink">
          {held.map(({ noun, count, href }) => (
            <li key={noun}>
              {isOwn ? (
                <TextLink href={href} onClick={closeConfirm}>
                  {words(count, noun)}
                </TextLink>
              ) : (
                words(count, noun)
              )}
            </li>
          ))}
        </ul>
      </>
    ),
  }
}
