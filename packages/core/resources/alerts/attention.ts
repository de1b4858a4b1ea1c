/**
 * The one evaluator of conditions that need the attention of operators: missing and failing hardware, pools and quotas that fill
 * up, certificates that expire. A loop keeps its findings as rows, so that each has the time since when it holds.
 */
import { severities, severityOfFilling } from '@purlin/contract/rules/alerts/attention'
import { expiryDays, expiryStage, latestOf } from '@purlin/contract/rules/credentials/certificates'
import { formatBytes } from '@purlin/contract/rules/limits'
import { kinds } from '@purlin/contract/rules/kinds'
import { seqOf } from '#/audit/sequence.ts'
import { permit } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import type { AttentionTable, Tx } from '#/db/tables.ts'
import { updateStall } from '../updates/roll-out.ts'
import { endAlert, raiseAlert, type At } from './raise.ts'
import { failingRuns } from '../schedules/runs.ts'
import { failingSchedules } from '../storage/snapshot-schedules.ts'
import { backupTrouble } from '../backups/schedule.ts'
import { usageOf } from '../addresses/pool-ranges.ts'
import { findingsOfHardware } from '../hardware/findings.ts'
import { instancesWithNames } from '../hardware/sled-rows.ts'
import { mostOfEach, type Finding } from './finding.ts'
import { presentedCertificates } from '../silos/certificates.ts'

/** All conditions that hold now. */
export async function findings(tx: Tx, now: number): Promise<Finding[]> {
  return [
    ...(await findingsOfHardware(tx)),
    ...(await fillingPools(tx)),
    ...(await fillingQuotas(tx)),
    ...(await expiringCertificates(tx, now)),
    ...(await stalledUpdate(tx, now)),
    ...(await failedInstances(tx)),
    ...(await failedBackups(tx, now)),
    ...(await failedSchedules(tx)),
    ...(await failedRuns(tx)),
    ...(await failingSignIns(tx, now)),
  ]
}

/** The update, if it has waited for long. */
async function stalledUpdate(tx: Tx, now: number): Promise<Finding[]> {
  const stall = await updateStall(tx, now)
  return stall
    ? [
        {
          kind: 'update_stalled',
          severity: 'warning',
          subject: { type: kinds.systemUpdateRepository.type, id: stall.id, name: stall.version },
          since: stall.since,
          text: `The update to release ${stall.version} waits for ${stall.reason}.`,
          advice:
            'Open the page of system updates: it continues once that has happened, or when it is resumed.',
        },
      ]
    : []
}

async function failedBackups(tx: Tx, now: number): Promise<Finding[]> {
  const trouble = await backupTrouble(tx, now)
  if (!trouble) return []
  const { failure, isOverdue, since, timeDone } = trouble
  const problem =
    failure === null ? 'The scheduled backup is overdue.' : `The scheduled backup fails: ${failure}.`
  const last =
    timeDone === null
      ? 'There is no backup yet.'
      : `The last backup was made at ${new Date(timeDone).toISOString().slice(0, 16).replace('T', ' ')} UTC.`
  return [
    {
      kind: 'backup_failed',
      severity: isOverdue ? 'critical' : 'warning',
      subject: { type: 'backup', id: 'schedule', name: 'scheduled backup' },
      since,
      text: `${problem} ${last}`,
      advice:
        failure === null
          ? 'Check that a server with --backup-to is running, and read its log.'
          : 'Remove the cause. The backup is attempted again every 15 minutes.',
    },
  ]
}

async function fillingPools(tx: Tx): Promise<Finding[]> {
  const pools = await tx.selectFrom('ipPool').select(['id', 'name']).orderBy('id').execute()
  const found: Finding[] = []
  for (const { id, name } of pools) {
    const { used, capacity } = await usageOf(tx, id)
    const severity = severityOfFilling(Number(used), Number(capacity))
    if (severity)
      found.push({
        kind: 'pool_filling',
        severity,
        subject: { type: 'ip-pool', id, name },
        text: `${used} of ${capacity} addresses of the pool "${name}" are in use.`,
        advice: 'Add a range to the pool.',
      })
  }
  return found
}

const resources = [
  { used: 'cpus', quota: 'quotaCpus', show: (n: number) => `${n} vCPUs`, noun: 'vCPUs' },
  { used: 'memory', quota: 'quotaMemory', show: formatBytes, noun: 'memory' },
  { used: 'storage', quota: 'quotaStorage', show: formatBytes, noun: 'storage' },
] as const

async function fillingQuotas(tx: Tx): Promise<Finding[]> {
  const rows = await tx
    .selectFrom('silo')
    .innerJoin('usage', 'usage.id', 'silo.id')
    .select(['silo.id', 'silo.name', 'usage.cpus', 'usage.memory', 'usage.storage'])
    .select(['silo.quotaCpus', 'silo.quotaMemory', 'silo.quotaStorage'])
    .orderBy('silo.id')
    .execute()
  return rows.flatMap((row) =>
    resources.flatMap(({ used, quota, show, noun }): Finding[] => {
      const [use, most] = [Number(row[used]), Number(row[quota])]
      const severity = severityOfFilling(use, most)
      if (!severity) return []
      const name = row.name
      return [
        {
          kind: 'quota_filling',
          severity,
          subject: { type: 'silo', id: row.id, name, within: noun },
          text: `Silo "${name}" uses ${show(use)} of its quota of ${show(most)}${noun === 'vCPUs' ? '' : ` of ${noun}`}.`,
          advice: 'Raise the quota, or ask the silo to free some.',
        },
      ]
    }),
  )
}

async function expiringCertificates(tx: Tx, now: number): Promise<Finding[]> {
  const [first] = expiryDays
  const rows = await presentedCertificates(tx)
    .where('one.notAfter', '<=', latestOf(first, now))
    .orderBy('one.id')
    .limit(mostOfEach)
    .execute()
  return rows.map(({ id, name, notAfter, silo }) => {
    const stage = expiryStage(notAfter, now) ?? first
    return {
      kind: 'certificate_expiring',
      severity: stage <= 3 ? 'critical' : 'warning',
      subject: { type: 'certificate', id, name, within: silo },
      text:
        stage === 0
          ? `The certificate "${name}" of silo "${silo}" has expired.`
          : `The certificate "${name}" of silo "${silo}" expires on ${new Date(notAfter).toISOString().slice(0, 10)}.`,
      advice: 'Add a new certificate to the silo.',
    }
  })
}

async function failedInstances(tx: Tx): Promise<Finding[]> {
  const rows = await instancesWithNames(tx)
    .select(['instance.id', 'instance.name', 'instance.timeRunStateUpdated', 'instance.lastError'])
    .where('instance.runState', '=', 'failed')
    .orderBy('instance.id')
    .limit(mostOfEach)
    .execute()
  return rows.map(({ id, name, timeRunStateUpdated, lastError, projectName, siloName }) => ({
    kind: 'instance_failed',
    severity: 'warning',
    subject: { type: 'instance', id, name, within: siloName },
    since: timeRunStateUpdated,
    text: `The instance "${name}" of project "${projectName}" in silo "${siloName}" has failed${lastError === null ? '' : `: ${lastError}`}.`,
    advice:
      'A member of the silo can start it again. If instances fail on one sled only, begin maintenance of it.',
  }))
}

async function failedSchedules(tx: Tx): Promise<Finding[]> {
  const rows = await failingSchedules(tx, { most: mostOfEach })
  return rows.map(({ id, name, projectName, siloName, failedSince, lastError }) => ({
    kind: 'snapshots_failing',
    severity: 'warning',
    subject: { type: kinds.disk.type, id, name, within: siloName },
    since: failedSince ?? 0,
    text: `The snapshot schedule of disk "${name}" of project "${projectName}" in silo "${siloName}" fails: ${lastError}.`,
    advice: 'A member of the silo can set the schedule again or delete it. If a quota is full, raise it.',
  }))
}

async function failedRuns(tx: Tx): Promise<Finding[]> {
  const rows = await failingRuns(tx, { most: mostOfEach })
  return rows.map(({ id, name, projectName, siloName, failedSince, lastError }) => ({
    kind: 'schedule_failing',
    severity: 'warning',
    subject: { type: kinds.schedule.type, id, name, within: siloName },
    since: failedSince ?? 0,
    text: `The schedule "${name}" of project "${projectName}" in silo "${siloName}" fails: ${lastError}.`,
    advice: 'A member of the silo can set the schedule again or delete it.',
  }))
}

const signInWindowMs = 10 * 60_000
const failedSignIns = 20

async function failingSignIns(tx: Tx, now: number): Promise<Finding[]> {
  const rows = await tx
    .selectFrom('auditEntry')
    .innerJoin('silo', 'silo.id', 'auditEntry.siloId')
    .select((eb) => ['silo.id', 'silo.name', eb.fn.countAll<number | string>().as('count')])
    .where('auditEntry.seq', '>=', seqOf(now - signInWindowMs))
    .where('auditEntry.operation', '=', 'login_local')
    .where('auditEntry.status', '>=', 400)
    .groupBy(['silo.id', 'silo.name'])
    .execute()
  return rows
    .filter(({ count }) => Number(count) >= failedSignIns)
    .map(({ id, name }) => ({
      kind: 'sign_ins_failing',
      severity: 'warning',
      subject: { type: 'silo', id, name },
      text: `More than ${failedSignIns - 1} attempts to sign in to silo "${name}" have failed within 10 minutes.`,
      advice:
        'Look at the failed sign-ins in the audit log: their addresses and accounts tell a mistake from an attack.',
    }))
}

/** The id of a finding, which is the same as long as it holds. Critical ones come first. */
const idOf = ({ severity, kind, subject }: Finding): string =>
  `${severities.indexOf(severity)} ${kind} ${subject.id} ${subject.within ?? ''}`.trim()

/** The conditions that hold at a time, and the rows that were kept then. */
export interface Evaluation {
  found: readonly Finding[]
  before: readonly AttentionTable[]
}

/** Looks for all conditions in one snapshot of the database. */
export const evaluate = async (tx: Tx, now: number): Promise<Evaluation> => ({
  found: await findings(tx, now),
  before: await rowsIn(tx),
})

const rowsIn = (tx: Tx): Promise<AttentionTable[]> =>
  tx.selectFrom('attention').selectAll().orderBy('id').execute()

/**
 * Makes the rows those of the findings, and alerts of those that begin. Returns the new ones. Null, with no change, if
 * another server has changed the rows since: its findings may be newer, and an alert would begin again that has ended.
 */
export async function keepFindings(at: At, { found, before }: Evaluation): Promise<Finding[] | null> {
  const { tx, now } = at
  const kept = await rowsIn(tx)
  if (JSON.stringify(kept) !== JSON.stringify(before)) return null
  const rows = new Map(kept.map((row) => [row.id, row]))
  const begun: Finding[] = []
  for (const finding of found) {
    const id = idOf(finding)
    const row = rows.get(id)
    rows.delete(id)
    const after = rowOf(id, finding, row?.since ?? now)
    if (!row) {
      await tx.insertInto('attention').values(after).execute()
      await raiseAlert(at, after)
      begun.push(finding)
    } else if (JSON.stringify(row) !== JSON.stringify(after))
      await tx.updateTable('attention').set(after).where('id', '=', id).execute()
  }
  for (const id of rows.keys()) {
    await tx.deleteFrom('attention').where('id', '=', id).execute()
    await endAlert(at, id)
  }
  return begun
}

const rowOf = (id: string, { kind, severity, subject, text, advice, ...finding }: Finding, since: number) =>
  ({
    id,
    kind,
    severity,
    subjectType: subject.type,
    subjectId: subject.id,
    subjectName: subject.name,
    within: subject.within ?? null,
    since: finding.since ?? since,
    text,
    advice,
  }) satisfies AttentionTable

export const attention: Family<'attentionList'> = {
  async attentionList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom('attention')
    const page = await pageById(ctx, query, { rows, table: 'attention', holder: '' })
    return mapPage(page, ({ id, kind, severity, since, text, advice, ...row }) => ({
      id,
      kind,
      severity,
      subject: { type: row.subjectType, id: row.subjectId, name: row.subjectName, within: row.within },
      since: new Date(since),
      text,
      advice,
    }))
  },
}
