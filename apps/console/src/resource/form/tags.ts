/** Tags as the text of a form: a line for each, such as `env=prod`. */
import { limits } from '@purlin/contract/rules/limits'
import { tagKeyProblem, tagValueProblem, type Tags } from '@purlin/contract/rules/tags'
import { tagTexts } from '#/lib/tagTexts.ts'

/** The lines of tags. */
export const tagsText = (tags?: Tags): string => tagTexts(tags).join('\n')

/** Each tag with the number of its line. Empty lines have none. */
const linesOf = (text: string) =>
  text.split('\n').flatMap((line, i) => {
    const tag = line.trim()
    const at = tag.indexOf('=')
    const [key, value] = at < 0 ? [tag, ''] : [tag.slice(0, at).trimEnd(), tag.slice(at + 1).trimStart()]
    return tag === '' ? [] : [{ number: i + 1, key, value }]
  })

/** The tags of a text. Of two with the same key, the last one counts. */
export const tagsIn = (text: string): Tags =>
  Object.fromEntries(linesOf(text).map(({ key, value }) => [key, value]))

/** The reason why a text has no valid tags, with the line. */
export function tagsProblem(text: string): string | undefined {
  const lines = linesOf(text)
  const known = new Set<string>()
  for (const { number, key, value } of lines) {
    const problem =
      tagKeyProblem(key) ?? tagValueProblem(value) ?? (known.has(key) ? `${key} is there twice` : undefined)
    if (problem !== undefined) return `Line ${number}: ${problem}`
    known.add(key)
  }
  return lines.length > limits.tags.count ? `At most ${limits.tags.count} tags` : undefined
}

/** The change that makes tags of others: those to set, and the keys to remove. */
export function tagChange(from: Tags, to: Tags): { set?: Tags; remove?: string[] } {
  const set = Object.entries(to).filter(([key, value]) => from[key] !== value)
  const remove = Object.keys(from).filter((key) => !(key in to))
  return {
    ...(set.length > 0 ? { set: Object.fromEntries(set) } : {}),
    ...(remove.length > 0 ? { remove } : {}),
  }
}

/** The values of a form that edits name, description and tags. */
export const taggedValues = ({
  name,
  description,
  tags,
}: {
  name: string
  description: string
  tags?: Tags | undefined
}) => ({ name, description, tags: tagsText(tags) })

/** Tags and protection in the form that creates a resource. */
export interface KeptValues {
  /** A line for each. */
  tags: string
  protected: boolean
}
export const noneKept: KeptValues = { tags: '', protected: false }

/** A request that creates something, with the tags and the protection of its form: without either that it does not have. */
export function withKept<B extends object>(
  body: B,
  { tags, protected: isProtected }: Partial<KeptValues>,
): B & { protected?: true } {
  const { protected: _, ...rest } = withTags(body, { text: tags }) as B & { protected?: unknown }
  return { ...rest, ...(isProtected ? { protected: true } : {}) } as B & { protected?: true }
}

/** A request of a form, whose tags are a text, with its tags: without them if they are as they were. */
export function withTags<B extends object>(
  body: B,
  { text, before = '' }: { text: unknown; before?: string | undefined },
): B {
  const { tags: _, ...rest } = body as B & { tags?: unknown }
  return (typeof text !== 'string' || text.trim() === before ? rest : { ...rest, tags: tagsIn(text) }) as B
}
