/** Requests the metadata of identity providers over HTTP. */
import { messageOf } from '@purlin/databases/error-codes'
import type { FetchedMetadata } from '@purlin/core/ports'
import { createFetching, type FetchingOptions, oneLine } from '../webhooks/fetching.ts'

/** Returns the request of the port. */
export function createMetadataFetching(options: FetchingOptions) {
  const fetching = createFetching(options)
  return async (address: string): Promise<FetchedMetadata> => {
    try {
      const { status, bytes } = await fetching(address)
      if (status !== 200) return { status }
      return { xml: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
    } catch (error) {
      return { failure: oneLine(messageOf(error)) }
    }
  }
}
