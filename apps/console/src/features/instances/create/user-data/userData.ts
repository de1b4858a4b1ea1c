/** The user data of a new instance: a text that is typed, or a file. */
import { KiB, limits } from '@purlin/contract/rules/limits'
import { bytesOf } from '@purlin/contract/rules/user-data/texts'
import { capitalize } from '#/lib/text.ts'
import { formatSize } from '#/lib/format.ts'
import type { InstanceForm } from '../values/form.ts'

const most = limits.instance.userData

/** The bytes to send; undefined without any. Throws if the file cannot be read. */
export async function userDataOf({
  userData,
  userDataText,
}: Pick<InstanceForm, 'userData' | 'userDataText'>): Promise<Uint8Array | undefined> {
  if (userData) return new Uint8Array(await userData.arrayBuffer())
  return userDataText === '' ? undefined : new TextEncoder().encode(userDataText)
}

const tooLarge = (size: number, noun: string) =>
  size > most ? `Can be at most ${most / KiB} KiB, this ${noun} has ${formatSize(size, 'en')}` : undefined

/** The problem with a text. The guest would skip settings that it cannot read. */
export async function textProblem(text: string): Promise<string | undefined> {
  const problem = tooLarge(bytesOf(text), 'text')
  if (problem !== undefined || !text.startsWith('#cloud-config')) return problem
  const { cloudConfigProblem } = await import('@purlin/contract/rules/user-data/cloud-config')
  const mistake = cloudConfigProblem(text)
  return mistake && capitalize(mistake)
}

/** The problem with a file. One that cannot be read is reported when it is sent. */
export async function fileProblem(file: Pick<File, 'size' | 'text'> | null): Promise<string | undefined> {
  if (!file) return undefined
  const problem = tooLarge(file.size, 'file')
  return problem ?? textProblem(await file.text().catch(() => ''))
}
