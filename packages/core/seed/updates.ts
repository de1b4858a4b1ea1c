/** The releases of the demo. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'

/** A root document, and the repositories of releases that it has signed, oldest first. */
export interface DemoReleases {
  root: unknown
  repositories: { fileName: string; content: Uint8Array<ArrayBuffer> }[]
}

/** The rack runs the first release; the others can be installed. */
export async function makeReleases(client: Client<Operations>, releases: DemoReleases): Promise<void> {
  await client.systemUpdateTrustRootCreate({ query: {}, body: releases.root })
  const versions: string[] = []
  for (const { fileName, content } of releases.repositories) {
    const { repo } = await client.systemUpdateRepositoryUpload({ query: { fileName }, body: content })
    versions.push(repo.systemVersion)
  }
  const [systemVersion] = versions
  if (systemVersion !== undefined) await client.targetReleaseUpdate({ body: { systemVersion } })
}
