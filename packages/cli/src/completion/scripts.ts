/** The completion scripts. They are static: a key press starts no process. */

import type { CommandNode, Word } from './tree.ts';

type Shell = 'bash' | 'zsh' | 'fish';

const names = (words: readonly Word[]): string => words.map(({ name }) => name).join(' ');

/** Words before the cursor that are commands give the path; an option's value is skipped. */
function bashScript(nodes: readonly CommandNode[]): string {
  const valueOptions = [...new Set(nodes.flatMap((node) => node.valueOptions))].join('|');
  const cases = nodes
    .map(
      ({ path, commands, options }) =>
        `    '${path}') words='${names(commands)}' options='${names(options)}' ;;`,
    )
    .join('\n');
  return `# bash completion of tonearm, made by: tonearm completion bash
_tonearm() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' word words='' options='' skip=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    if [ -n "$skip" ]; then skip=''; continue; fi
    case $word in
      ${valueOptions}) skip=1 ;;
      -*) ;;
      *) case " $(_tonearm_commands "$path") " in
           *" $word "*) path="\${path:+$path }$word" ;;
         esac ;;
    esac
  done
  if [ -n "$skip" ]; then COMPREPLY=($(compgen -f -- "$current")); return; fi
  case $path in
${cases}
  esac
  case $current in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current"))
       if [ -z "$words" ]; then COMPREPLY=($(compgen -f -- "$current")); fi ;;
  esac
}
_tonearm_commands() {
  local words='' options=''
  case $1 in
${cases}
  esac
  echo "$words"
}
complete -F _tonearm tonearm
`;
}

const zshWord = ({ name, description }: Word): string =>
  `'${name.replaceAll(':', '\\:')}:${description.replaceAll("'", `'\\''`)}'`;

function zshScript(nodes: readonly CommandNode[]): string {
  const valueOptions = [...new Set(nodes.flatMap((node) => node.valueOptions))].join('|');
  const cases = nodes
    .map(
      ({ path, commands, options }) =>
        `    '${path}') commands=(${commands.map(zshWord).join(' ')}) options=(${options.map(zshWord).join(' ')}) ;;`,
    )
    .join('\n');
  return `#compdef tonearm
# zsh completion of tonearm, made by: tonearm completion zsh
_tonearm_words() {
  commands=() options=()
  case $1 in
${cases}
  esac
}
_tonearm() {
  local -a commands options
  local path_of='' word skip=''
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then skip=''; continue; fi
    case $word in
      ${valueOptions}) skip=1 ;;
      -*) ;;
      *) _tonearm_words "$path_of"
         if [[ -n \${(M)commands:#$word:*} ]]; then path_of="\${path_of:+$path_of }$word"; fi ;;
    esac
  done
  if [[ -n $skip ]]; then _files; return; fi
  _tonearm_words "$path_of"
  if [[ $PREFIX == -* ]]; then _describe option options
  elif (( \${#commands} )); then _describe command commands
  else _files; fi
}
compdef _tonearm tonearm
`;
}

const fishQuote = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** One line for each word: shown after exactly the commands of its path. */
function fishScript(nodes: readonly CommandNode[]): string {
  const lines = nodes.flatMap(({ path, commands, options, valueOptions }) => {
    const condition = `-n ${fishQuote(`__tonearm_at ${fishQuote(path)}`)}`;
    return [
      ...commands.map(
        ({ name, description }) =>
          `complete -c tonearm -f ${condition} -a ${name} -d ${fishQuote(description)}`,
      ),
      ...options.map(({ name, description }) => {
        const takesValue = valueOptions.includes(name) ? ' -r' : '';
        return `complete -c tonearm ${condition} -l ${name.slice(2)}${takesValue} -d ${fishQuote(description)}`;
      }),
    ];
  });
  const known = nodes.map(({ path }) => path).filter((path) => path !== '');
  return `# fish completion of tonearm, made by: tonearm completion fish
function __tonearm_at
  set -l known ${known.map(fishQuote).join(' ')}
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l longer (string trim "$path $word")
    if contains -- $longer $known
      set path $longer
    end
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}

export const completionScripts: Readonly<Record<Shell, (nodes: readonly CommandNode[]) => string>> =
  {
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  };
