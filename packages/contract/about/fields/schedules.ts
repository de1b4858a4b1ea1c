/** Fields of schedules of projects. */
import { limits } from '#/rules/limits.ts'
import type { FieldSentences } from '../field-sentences.ts'

const { hours, targets, keep } = limits.schedule
const zone =
  'The time zone whose clock the runs keep to, by its name in the IANA database, such as Europe/Berlin.'
const rule =
  'When it runs. A time that clocks skip is the first moment after, and one that they show twice counts once.'
const one = 'Exactly one of `instances`, `tag`, `disks` and `disk_tag` is given.'
const named = (noun: string) => `The names or ids of the ${noun}, at most ${targets}. ${one}`
const tagged = (noun: string) =>
  `A tag, as \`key\` or \`key=value\`: a run is for all ${noun} of the project that have it then. ${one}`
const kept =
  'How many of the snapshots that it has made of each instance or disk are kept; only for `snapshot`. A run deletes the others, except protected ones.'
const time = 'The time of day in the time zone, such as 18:30.'
const keeps = 'Absent or null keeps the present one.'
const gone = 'Ids that it has already may be of what is gone.'
const classOf = (periods: string) =>
  `Of this number of the latest ${periods} in which one was made, the last snapshot of each is kept: at most ${keep}. Absent or null is 0.`

export const schedules: FieldSentences = {
  Schedule: {
    userId: 'The id of the user in whose name it runs: the one who has set it last.',
    action: 'What a run does. Instances that are in the wanted state already are left as they are.',
    instances: 'The instances that a run is for; null if it is for something else.',
    tag: 'The tag of the instances that a run is for; null if there is none.',
    disks: 'The disks that a run is for; null if it is for something else.',
    diskTag: 'The tag of the disks that a run is for; null if there is none.',
    keep: `${kept} Null for other actions.`,
    rule,
    timeZone: zone,
    paused: 'Whether no run is due until it continues.',
    timeNextRun:
      'When it is due, RFC 3339 in UTC; null while it is paused. Missed runs are made up for once.',
    timeLastRun: 'When the last run began, RFC 3339 in UTC; null if there was none.',
    lastError: 'Why the last run has failed, in words for people; null if it has not.',
    timeFailedSince: 'Since when runs fail, RFC 3339 in UTC; null if the last one has not failed.',
    task: 'The id of the task of the last run; null if there was none.',
  },
  'Schedule.instances': {
    id: 'The id of the instance.',
    name: 'Its name; absent in lists, and null if it is gone.',
  },
  'Schedule.disks': {
    id: 'The id of the disk.',
    name: 'Its name; absent in lists, and null if it is gone.',
  },
  ScheduleRetention: {
    hourly: classOf('hours'),
    daily: classOf('days'),
    weekly: `${classOf('weeks')} Weeks begin on Monday.`,
    monthly: classOf('months'),
  },
  ScheduleCreate: {
    action: 'What a run does.',
    instances: named('instances'),
    tag: tagged('instances'),
    disks: named('disks'),
    diskTag: tagged('disks'),
    keep: kept,
    rule,
    timeZone: `${zone} UTC unless given.`,
    paused: 'If true, no run is due until it continues; false unless given.',
  },
  ScheduleUpdate: {
    action: `What a run does. ${keeps}`,
    instances: `${named('instances')} ${gone} ${keeps}`,
    tag: `${tagged('instances')} ${keeps}`,
    disks: `${named('disks')} ${gone} ${keeps}`,
    diskTag: `${tagged('disks')} ${keeps}`,
    keep: `${kept} ${keeps}`,
    rule: `${rule} ${keeps}`,
    timeZone: `${zone} ${keeps}`,
    paused: `If true, no run is due until it continues. ${keeps}`,
  },
  ScheduleRule: {
    type: 'How its times are given.',
    hours: `The hours from one run to the next, at most ${hours}. More than one are counted on the clock.`,
    timeFirstRun:
      'The time of a run, RFC 3339 in UTC, from which the others are counted. In a request, absent or null is the present time.',
    time,
    days: 'The days of the week.',
    day: 'The day of the month. Shorter months have it on their last day.',
  },
}
