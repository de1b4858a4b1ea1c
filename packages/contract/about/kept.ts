/** Sentences about changes of tags and protection. */
import { article, kinds, kindsWith, type KindWith } from '#/rules/kinds.ts'

type Kept = KindWith<'isTagged'>

const sentences = kindsWith('isTagged').flatMap((kind): [string, string][] => {
  const one = `${article(kinds[kind].noun)} ${kinds[kind].noun}`
  return [
    [`${kind}TagsChange`, `Set or remove some tags of ${one}. All other tags stay as they are.`],
    [
      `${kind}ProtectionUpdate`,
      `Protect ${one} from deletion, or remove the protection. Nothing else of it changes.`,
    ],
  ]
})
export const ofKept = Object.fromEntries(sentences) as Record<
  `${Kept}${'TagsChange' | 'ProtectionUpdate'}`,
  string
>
