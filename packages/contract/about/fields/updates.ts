/** Fields of system updates. */
import { limits } from '#/rules/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'

const systemVersion = 'The version of the release, such as `1.2.3`.'
const fileName = 'The name of the file, which is only shown.'
const size = 'The size of the zip file in bytes.'

export const updates: FieldSentences = {
  UpdatesTrustRoot: { rootRole: 'The root document.' },
  TufRepo: { hash: 'The SHA-256 of the zip file in hex.', systemVersion, fileName },
  TufRepoUpload: { repo: 'The repository.', status: 'Whether it is new or was there already.' },
  systemUpdateRepositoryList: { sortBy: 'The order by version; newest first unless given.' },
  systemUpdateRepositoryUpload: {
    fileName: `${fileName} It has at most ${limits.update.fileName} characters.`,
  },
  systemUpdateRepositoryView: { systemVersion },
  UpdateStatus: {
    targetRelease: 'The release that the rack is to run; null before one is set.',
    componentsByReleaseVersion:
      'The number of components by release. `install dataset` is the software of the factory, and `unknown` is any other.',
    timeLastStepPlanned: 'When the last step of an update was planned, RFC 3339 in UTC.',
    suspended:
      'True if support has changed the software by hand: updates wait until the matching release is uploaded and is the target.',
  },
  TargetRelease: { version: systemVersion, timeRequested: 'When it became the target, RFC 3339 in UTC.' },
  SetTargetReleaseParams: { systemVersion },
  RepositoryUpload: {
    fileName,
    size,
    offset: 'The number of bytes that are stored; the next part begins there.',
  },
  systemUpdateUploadAppend: { offset: 'Where the part begins in the file: the `offset` of the upload.' },
}
