/** The program that guests read their seed with, which this host runs on the files of a seed. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { builtOnce, unpack } from './debian.ts'

/** It and what it imports. The packages of programs that it runs in a guest are not among them. */
const imported =
  'attr certifi chardet configobj idna jinja2 json-pointer jsonpatch jsonschema markupsafe netifaces oauthlib pyrsistent ' +
  'requests serial six urllib3 yaml'
const packages = ['cloud-init', ...imported.split(' ').map((name) => `python3-${name}`)]

/** How systems write down the interfaces of a guest. */
const systems = ['eni', 'netplan', 'networkd', 'network_manager', 'sysconfig'] as const

/**
 * Reads a folder as the data source NoCloud does, has its user data checked, and its interfaces renamed and written down for each of
 * the systems.
 */
const program = `
import contextlib, importlib, json, os, sys
packages, seed, work = sys.argv[1:]
sys.path.insert(0, packages)
from cloudinit import distros, helpers, net, settings
from cloudinit.config.schema import get_schema, validate_cloudconfig_file
from cloudinit.net.network_state import parse_net_config_data
from cloudinit.sources.DataSourceNoCloud import DataSourceNoCloud

paths = helpers.Paths({'cloud_dir': work, 'run_dir': os.path.join(work, 'run'), 'templates_dir': work})
os.makedirs(paths.seed_dir)
os.symlink(seed, os.path.join(paths.seed_dir, 'nocloud'))
distro = distros.fetch('debian')('debian', dict(settings.CFG_BUILTIN), paths)
source = DataSourceNoCloud({'datasource': {'NoCloud': {'fs_label': None}}}, distro, paths)
assert source.get_data()
with contextlib.redirect_stdout(sys.stderr):
    validate_cloudconfig_file(os.path.join(seed, 'user-data'), get_schema())

def written(system):
    target = os.path.join(work, system)
    renderer = importlib.import_module('cloudinit.net.' + system).Renderer
    config = {}
    if system == 'sysconfig':
        config = distros.fetch('fedora').renderer_configs['sysconfig']
    renderer(config).render_network_state(parse_net_config_data(source.network_config), target=target)
    files = [os.path.join(at, name) for at, _, names in os.walk(target) for name in names]
    return {os.path.relpath(file, target): open(file).read() for file in files}

print(json.dumps({
    'id': source.get_instance_id(),
    'hostname': source.get_hostname().hostname,
    'keys': source.get_public_ssh_keys(),
    'userData': source.get_userdata_raw().decode(),
    'renamed': {mac: name for mac, name, *_ in net.extract_physdevs(source.network_config)},
    'written': {system: written(system) for system in ${JSON.stringify(systems)}},
}))
`

/** A seed as cloud-init understands it. */
export interface SeedAsRead {
  id: string
  hostname: string
  keys: string[]
  userData: string
  /** The names that interfaces get, by MAC address. */
  renamed: Record<string, string>
  /** The files of each system, by path. */
  written: Record<(typeof systems)[number], Record<string, string>>
}

/** Has cloud-init read the files of a seed; undefined where its packages cannot be downloaded. Throws for what it does not accept. */
export function readByCloudInit(files: Record<string, Uint8Array>): SeedAsRead | undefined {
  const folder = builtOnce('cloud-init-1', (work) => unpack(work, packages))
  if (folder === undefined) return undefined
  const work = mkdtempSync(join(tmpdir(), 'purlin-cloud-init-'))
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(work, name), bytes)
    const args = ['-c', program, join(folder, 'usr/lib/python3/dist-packages'), work, join(work, 'cloud')]
    return JSON.parse(execFileSync('/usr/bin/python3', args, { encoding: 'utf8' })) as SeedAsRead
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
