import { guides } from '#/lib/addresses.ts'

/** Explains the hardware, next to the titles of its screens. */
export const hardwareDocs = {
  summary:
    'A rack holds sleds, which run the instances, and switches, which connect them. Hardware reports itself at least every ten minutes; if the reports end, it is shown as missing.',
  links: [guides.sleds, guides.hosts, guides.disks],
}
