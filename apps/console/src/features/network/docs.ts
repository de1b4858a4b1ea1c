import { guides } from '#/lib/addresses.ts'

/** Explains the network outside of the racks, next to the title of its screens. */
export const networkDocs = {
  summary:
    'The switches connect the racks with the network outside. Address lots hold the addresses that they may use. The list of allowed sources limits from where this console and the API can be reached.',
  links: [guides.switches],
}
