/** Patterns that no file of the console contains. */
import { isTest, type Finding, type TextFile } from './files.ts'

/** Verbs that no act has, each with the one that all acts of its kind have. */
const OTHER_VERBS: Readonly<Record<string, string>> = {
  Change: 'Edit',
  Destroy: 'Delete',
  Disconnect: 'Detach',
  Duplicate: 'Clone',
  Erase: 'Delete',
  Expand: 'Enlarge',
  Generate: 'New',
  Grow: 'Enlarge',
  Modify: 'Edit',
  Register: 'Add',
}

interface Rule {
  name: string
  said: string
  /** Matches what is wrong, with the flags of `matchAll`. */
  pattern: RegExp
  /** The problem with a match. */
  problem: (match: string) => string
  /** The modules that are meant for it. */
  except?: RegExp
}

const rules: readonly Rule[] = [
  {
    name: 'formatters',
    said: 'made when they are needed',
    // The first one takes 20 ms of the first render.
    pattern: /(?<=^(?:export )?const )\w+(?=[^\n]*= new Intl\.)/gm,
    problem: (name) => `makes ${name} while it is loaded: make it when it is needed, as lib/format.ts does`,
  },
  {
    name: 'widths',
    said: 'classes name widths of the theme',
    // Tailwind's own; src/styles/theme.css names ours instead, and a class of another one does nothing.
    pattern: /(?<=["'`\s:])(?:max-)?(?:sm|md|lg|xl|2xl):[\w[-]+/g,
    problem: (name) => `${name} does nothing, since src/styles/theme.css has other widths`,
  },
  {
    name: 'clocks',
    said: 'the console knows the time by its server',
    // The clock of the reader's computer may be hours off. The preview is a server itself, the gallery has made-up values.
    pattern: /\bDate\.now\b|\bnew Date\(\)/g,
    problem: (name) => `${name}: use serverNow of lib/clock.ts, or ownNow for how long something took`,
    except: /^apps\/console\/src\/(?:lib\/clock\.ts$|preview\/|gallery\/)/,
  },
  {
    name: 'violet',
    said: 'marks what is being moved or repaired',
    pattern: /\btone(?:=|: )["']note["']/g,
    problem: (tone) => `${tone} is for what is being moved or repaired: choose the tone of what it says`,
    except: /^apps\/console\/src\/(?:features\/hardware\/|gallery\/)/,
  },
  {
    name: 'empty lists',
    said: 'say what they are for',
    pattern: /\b(?:Create|Add|Make) an? [^'"`<]* to see (?:it|them) here/gi,
    problem: (text) => `"${text}" repeats the button below it: say what the list is for`,
  },
  {
    name: 'new ones',
    said: 'begin at buttons that are alike',
    pattern: /\bNew [\w ]+(?=\s*<\/(?:Button|LinkButton|GuardedLink)>)|lucide-react\/icons\/plus(?=')/g,
    problem: (text) => `${text}: use NewButton of ui/button, which has the sign of all buttons like it`,
    except:
      /^apps\/console\/src\/(?:ui\/button\/NewButton|ui\/field\/NumberField|features\/vpc-topology\/Picture|gallery\/\w+)\.tsx$/,
  },
  {
    name: 'acts',
    said: 'have one verb for each kind',
    // Labels of menus and of the palette. 'Change role' and 'Change tags' name what is changed.
    pattern: new RegExp(
      `(?<=\\blabel: ['"\`])(?:${Object.keys(OTHER_VERBS).join('|')})(?= \\w|['"\`])(?! (?:role|tags|disks)\\b)`,
      'g',
    ),
    problem: (verb) => `the act "${verb}" is called ${OTHER_VERBS[verb]} elsewhere`,
  },
]

const findingOf = ({ name, said, pattern, problem, except }: Rule, files: TextFile[]): Finding => ({
  name,
  said,
  problems: files
    .filter(({ path }) => !except?.test(path))
    .flatMap(({ path, text }) => [...text.matchAll(pattern)].map(([match]) => `${path}: ${problem(match)}`)),
  figures: {},
})

/** The rules for what modules of the console contain. */
export function checkPatterns(files: TextFile[]): Finding[] {
  const ours = files.filter(({ path }) => /^apps\/console\/src\/.*\.tsx?$/.test(path) && !isTest(path))
  return rules.map((rule) => findingOf(rule, ours))
}
