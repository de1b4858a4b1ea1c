import { rackList } from '@purlin/contract/operations/hardware/hardware'
import { everyPage } from '#/api/everyPage.ts'

export const racksQuery = everyPage(rackList, { query: {} })
