/** Fields of support bundles. */
import { bundleLimits } from '#/rules/support-bundles.ts'
import type { FieldSentences } from '../field-sentences.ts'

const comment = {
  userComment: `A text for people, of at most ${bundleLimits.comment} bytes; absent or null for none.`,
}
const file = { file: 'The path of the file, as the index has it, percent-encoded.' }

export const bundles: FieldSentences = {
  supportBundleList: { sortBy: 'The order by time; oldest first unless given.' },
  SupportBundleInfo: {
    ...comment,
    state: 'Whether it is being collected, can be downloaded, has failed, or is being deleted.',
    reasonForCreation: 'Why it was created.',
    reasonForFailure: 'Why it has failed, and what to do; absent or null if it has not.',
  },
  SupportBundleCreate: comment,
  SupportBundleUpdate: comment,
  supportBundleDownloadFile: file,
  supportBundleHeadFile: file,
}
