/** Sentences about changes of tags and protection. */
import { article, kinds, kindsWith, type KindName, type KindWith } from '#/rules/kinds.ts'
import { protectedKinds, type ProtectedKind } from '#/rules/lists.ts'

const oneOf = (kind: KindName) => `${article(kinds[kind].noun)} ${kinds[kind].noun}`

const ofTags = kindsWith('isTagged').map((kind): [string, string] => [
  `${kind}TagsChange`,
  `Set or remove some tags of ${oneOf(kind)}. All other tags stay as they are.`,
])
const ofProtection = protectedKinds.map((kind): [string, string] => [
  `${kind}ProtectionUpdate`,
  `Protect ${oneOf(kind)} from deletion, or remove the protection. Nothing else of it changes.`,
])
export const ofKept = Object.fromEntries([...ofTags, ...ofProtection]) as Record<
  `${KindWith<'isTagged'>}TagsChange` | `${ProtectedKind}ProtectionUpdate`,
  string
>
