import { guides } from '#/lib/addresses.ts'

/** Explains alerts, next to the title of their screens. */
export const alertDocs = {
  summary:
    'An alert begins when the control plane finds a condition that needs attention, and ends with it. Receivers get the alerts of the classes that they subscribe to, as signed requests over HTTP or by e-mail.',
  links: [guides.alerts],
}
