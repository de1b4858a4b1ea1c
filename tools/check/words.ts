import { type Finding, isCode, isTest, lineCount, type TextFile } from './files.ts'

/** Hosts that files may name: this machine, names set aside for examples, and standards. */
const HOSTS = [
  /^(localhost|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[.*\]|10\.\d+\.\d+\.\d+)$/,
  /(^|\.)(example|test|invalid|localhost|internal)$/,
  /(^|\.)example\.(com|net|org)$/,
  /^www\.(w3|rfc-editor)\.org$/,
  /^schemas\.openid\.net$/,
  /^(www\.)?mozilla\.org$/,
  /^cloudinit\.readthedocs\.io$/,
  // Stand-ins of tests.
  /^(h|host)$/,
]
const URL_HOST = /https?:\/\/(\[[^\]]*\]|[a-z0-9-]+(?:\.[a-z0-9-]+)*)/gi

const VAGUE_NAME = /^(utils?|commons?|helpers?|services?|managers?|misc)(\.|$)/i

const SECRETS = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/]{40}/,
  /\b(?:gh[pousr]|npm)_[A-Za-z0-9]{36}\b/,
  /\bAKIA[A-Z0-9]{16}\b/,
  /\bxox[abp]-[A-Za-z0-9-]{20}/,
]

const SUPPRESSION =
  /(?:\/\/|\/\*|<!--|\{\/\*)\s*(?:@ts-(?:ignore|expect-error|nocheck)|(?:ox|es)lint-disable\S*)(.*)/

/** Files and folders are named for their subject. */
export function checkNames(files: TextFile[]): Finding {
  const problems = files
    .filter(({ path }) => path.split('/').some((part) => VAGUE_NAME.test(part)))
    .map(({ path }) => `${path} is named for no subject`)
  return { name: 'names', said: `${files.length} files are named for their subject`, problems, figures: {} }
}

/** The outside hosts that a text names. */
export const outsideHosts = (text: string) =>
  [...text.matchAll(URL_HOST)]
    .map(([, host = '']) => host)
    .filter((host) => !HOSTS.some((ours) => ours.test(host)))

/** No file names an outside host or holds a secret. */
export function checkHosts(files: TextFile[]): Finding {
  const hosts = files.flatMap(({ path, text }) =>
    outsideHosts(text).map((host) => `${path} names the host ${host}`),
  )
  const secrets = files
    .filter(({ text }) => SECRETS.some((secret) => secret.test(text)))
    .map(({ path }) => `${path} holds what looks like a secret`)
  return {
    name: 'hosts',
    said: 'no outside hosts, no secrets',
    problems: [...hosts, ...secrets],
    figures: {},
  }
}

/** The lines that silence a tool: `reason` is what they say for themselves. */
export function suppressions(text: string): { line: number; reason: string }[] {
  return text.split('\n').flatMap((line, i) => {
    const rest = SUPPRESSION.exec(line)?.[1]
    if (rest === undefined) return []
    // A linter's rules come first, then two dashes; a compiler's directive is followed by the reason.
    const reason = line.includes('lint-disable') ? (rest.split('--')[1] ?? '') : rest
    return [
      {
        line: i + 1,
        reason: reason
          .replace(/\*\/.*$|-->$/, '')
          .replace(/^[\s:-]+/, '')
          .trim(),
      },
    ]
  })
}

/** Every suppression gives its reason on its line. */
export function checkSuppressions(files: TextFile[]): Finding {
  const code = files.filter(({ path }) => isCode(path) && !path.startsWith('tools/check/'))
  const all = code.flatMap(({ path, text }) => suppressions(text).map((found) => ({ ...found, path })))
  const problems = all
    .filter(({ reason }) => reason.length < 10)
    .map(({ path, line }) => `${path}: the suppression in line ${line} gives no reason`)
  return {
    name: 'suppressions',
    said: `${all.length} suppressions, each with its reason`,
    problems,
    figures: { suppressions: all.length },
  }
}

/** How much is tested, by lines. A figure, not a limit. */
export function testShare(files: TextFile[]): Finding {
  const code = files.filter(({ path }) => isCode(path))
  const ratio = (under: string) => {
    const lines = (wanted: boolean) =>
      code
        .filter(({ path }) => path.startsWith(under) && isTest(path) === wanted)
        .reduce((sum, { text }) => sum + lineCount(text), 0)
    return { tests: lines(true), code: lines(false), share: lines(true) / Math.max(1, lines(false)) }
  }
  const [all, core] = [ratio(''), ratio('packages/core/')]
  return {
    name: 'tests',
    said:
      `${all.tests} lines of tests for ${all.code} of code: ${all.share.toFixed(2)} (aim 0.60); ` +
      `core ${core.tests} for ${core.code}: ${core.share.toFixed(2)} (aim 1.00)`,
    problems: [],
    figures: { codeLines: all.code, testLines: all.tests, testShare: all.share, coreTestShare: core.share },
  }
}
