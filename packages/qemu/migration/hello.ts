/** The first frame: the description of the machine that a host sends. */
import {
  array,
  boolean,
  bytes,
  enumOf,
  integer,
  object,
  optional,
  string,
  type Out,
  type Schema,
} from '@purlin/contract/schema'
import { limits } from '@purlin/contract/rules/limits'
import { encode, jsonText } from '@purlin/contract/wire'
import { parse } from '@purlin/core/http/validate'
import type { VmSpec } from '@purlin/core/ports'

const most = (count: number, noun: string) => ({ count, noun })
const uuid = string({ format: 'uuid' })
const text = string({ maxLength: 4_096 })

const layer = object({ id: uuid, hasBytes: boolean() })
const disk = object({ id: uuid, layers: array(layer, most(10_000, 'layers')) })

/** The machine as it runs, where that may differ from what the server knows: its rows change at once, it with its next boot. */
const schema = object({
  boot: integer(),
  reset: integer(),
  storage: integer(),
  accelerator: enumOf(['kvm', 'tcg']),
  /** The version of the devices, as QEMU names it. */
  machineType: string({ maxLength: 64 }),
  name: text,
  hostname: text,
  userData: bytes(limits.instance.userData),
  sshPublicKeys: array(string({ maxLength: 100_000 }), most(10_000, 'keys')),
  disks: array(disk, most(1_000, 'disks')),
  /** True or not there: a host that does not know it takes the others. */
  isUefi: optional(boolean()),
})
export type Hello = Out<typeof schema>

const known: Schema<Hello> = schema
const ofQ35 = /^pc-q35-[\w.-]+$/

export const writeHello = (hello: Hello): string => jsonText(encode(known, hello))

/** Throws for what is no hello. */
export function readHello(text: Buffer): Hello {
  const hello = parse(known, JSON.parse(text.toString('utf8')))
  if (!ofQ35.test(hello.machineType)) throw new Error('the other host has machines of another type')
  return hello
}

/** The machine as it will run, of what the server asks for and what the host that has it says. Throws if they do not fit. */
export function specOf(asked: VmSpec, { accelerator: _, isUefi: __, ...hello }: Hello): VmSpec {
  if (hello.boot !== asked.boot) throw new Error('the machine is of another boot')
  const disks = asked.disks.map((one) => {
    const layers = hello.disks.find(({ id }) => id === one.id)?.layers
    if (!layers) throw new Error('the machine has other disks')
    return { ...one, layers }
  })
  return { ...asked, ...hello, disks }
}
