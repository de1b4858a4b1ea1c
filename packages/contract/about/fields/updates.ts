/** Fields of system updates. */
import { limits } from '#/rules/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'

const systemVersion = 'The version of the release, such as `1.2.3`.'
const fileName = 'The name of the file, which is only shown.'
const unit = {
  kind: 'Whether it is a switch or a sled.',
  serial: 'Its serial number.',
}
const version = 'The version that it has; null if it is not known.'
const component = 'The kind of the component, such as `host_os`.'
const size = 'The size of the zip file in bytes.'

export const updates: FieldSentences = {
  UpdatesTrustRoot: { rootRole: 'The root document.' },
  systemUpdateTrustRootCreate: {
    unlessTrusted: 'True to refuse a document that is trusted already, with 409.',
  },
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
    paused: 'When an operator paused the update, RFC 3339 in UTC; absent or null if it is not paused.',
    waitsFor: 'What the update waits for, in words for people; absent or null if it waits for nothing.',
    waitsSince: 'Since when it has waited for that, RFC 3339 in UTC.',
    step: 'The step that has begun; absent or null between steps.',
    next: 'The next step; absent or null if there is none.',
    suspended:
      'True if support has changed the software by hand: updates wait until the matching release is uploaded and is the target.',
  },
  UpdateUnit: unit,
  UpdateStep: {
    ...unit,
    phase: 'Whether its instances are moved away, or the release is installed.',
    since: 'When the phase began, RFC 3339 in UTC.',
  },
  UpdateComponent: {
    component,
    version,
    unit: 'The switch or the sled that it is part of.',
    wanted: 'The version that it is to have; null if the target release has nothing for it.',
    state: 'Whether it has the version that it is to have.',
    since: 'When its version was reported first, RFC 3339 in UTC.',
  },
  systemUpdatePlan: { systemVersion },
  UpdatePlanItem: {
    ...unit,
    instances: 'The number of instances that would be moved away.',
    components: 'The components that would restart.',
  },
  'UpdatePlanItem.components': { component, version },
  TargetRelease: { version: systemVersion, timeRequested: 'When it became the target, RFC 3339 in UTC.' },
  SetTargetReleaseParams: { systemVersion },
  RepositoryUpload: {
    fileName,
    size,
    offset: 'The number of bytes that are stored; the next part begins there.',
  },
  systemUpdateUploadAppend: { offset: 'Where the part begins in the file: the `offset` of the upload.' },
}
