import { shorten } from '#/lib/text.ts'

/**
 * The crumb of a page of hardware: the serial number, which names it to people, once the loader has returned it. `param`
 * is the id in the address.
 */
export const serialCrumb = (param: string, to: (id: string) => string) => ({
  crumb: {
    label: (params: Record<string, string>, loaded: unknown) =>
      (loaded as { serial?: string } | undefined)?.serial ?? shorten(params[param] ?? '', 12, 'middle'),
    to: (params: Record<string, string>) => to(params[param] ?? ''),
  },
})
