import { versionPattern } from '#/rules/versions.ts'
import { string } from '#/schema.ts'

/** A version of a release. */
export const Version = string({ format: 'version', pattern: versionPattern })
