/** The completions of shells. Each asks `purlin complete` for the words that can follow. */
import { write, type Io } from '../io.ts'

export type Shell = 'bash' | 'zsh' | 'fish'

export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# source <(purlin completion bash)
_purlin() {
  local IFS=$'\\n'
  local words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=($(purlin complete "\${words[@]}" "\${COMP_WORDS[COMP_CWORD]}" 2>/dev/null))
}
complete -o default -F _purlin purlin
`,
  zsh: `#compdef purlin
# purlin completion zsh > "\${fpath[1]}/_purlin"
_purlin() {
  local -a found
  found=("\${(@f)$(purlin complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then compadd -a found; else _files; fi
}
if [[ "\${funcstack[1]}" = _purlin ]]; then _purlin "$@"; else compdef _purlin purlin; fi
`,
  fish: `# purlin completion fish > ~/.config/fish/completions/purlin.fish
function __purlin_complete
  set -l words (commandline -opc) (commandline -ct)
  purlin complete $words[2..-1] 2>/dev/null
end
complete -c purlin -f -a '(__purlin_complete)'
complete -c purlin -n 'string match -qr -- "^--(file|output)$" (commandline -opc)[-1]' -F
`,
}

export const printScript = (io: Io, shell: Shell): Promise<void> => write(io.stdout, scripts[shell])
