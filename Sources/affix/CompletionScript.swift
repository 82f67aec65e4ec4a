/// Completion of commands and options in bash, made of the tables; zsh takes it with bashcompinit.
struct CompletionScript: Sendable {
  /// To be sourced, or kept as `affix` in a folder of bash-completion.
  var text: String {
    let cases = Command.allCases.map { command in
      let names = OptionTable.options(of: command).map { "--\($0.name)" } + ["--help"]
      return "    \(command.rawValue)) words='\(names.joined(separator: " "))' ;;"
    }
    let commands = Command.allCases.map(\.rawValue).joined(separator: " ")
    return """
      # bash completion for affix \(Version.number)
      _affix() {
        local word=${COMP_WORDS[COMP_CWORD]} words=
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          mapfile -t COMPREPLY < <(compgen -W '\(commands)' -- "$word")
          return
        fi
        case ${COMP_WORDS[1]} in
      \(cases.joined(separator: "\n"))
        esac
        case $word in
          -*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word") ;;
          *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
        esac
      }
      complete -o filenames -F _affix affix
      """
  }
}
