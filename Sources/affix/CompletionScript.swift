/// Completion of commands, options and their values in bash, made of the tables; zsh takes it with
/// bashcompinit.
struct CompletionScript: Sendable {
  /// To be sourced, or kept as `affix` in a folder of bash-completion.
  var text: String {
    let commands = Command.allCases.map(\.rawValue).joined(separator: " ")
    // Bash takes an equals sign for a word of its own (COMP_WORDBREAKS).
    return """
      # bash completion for affix \(Version.number)
      _affix() {
        local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
        local options= words= files=
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          mapfile -t COMPREPLY < <(compgen -W '\(commands)' -- "$word")
          return
        fi
        if [ "$word" = = ]; then
          word=
        elif [ "$before" = = ]; then
          before=${COMP_WORDS[COMP_CWORD-2]}
        fi
        case ${COMP_WORDS[1]} in
      \(Command.allCases.map(entry).joined(separator: "\n"))
        esac
        case $word in
          -*) mapfile -t COMPREPLY < <(compgen -W "$options" -- "$word") ;;
          *) mapfile -t COMPREPLY < <(compgen -W "$words" $files -- "$word") ;;
        esac
      }
      complete -o filenames -F _affix affix
      """
  }

  /// What can stand in a command: its options, and behind each that takes a value what that can be.
  private func entry(_ command: Command) -> String {
    let options = OptionTable.options(of: command)
    let names = options.map { "--\($0.name)" } + ["--help"]
    let values = options.filter { $0.kind != .flag }.map { option in
      let names = (option.short.map { ["-\($0)"] } ?? []) + ["--\(option.name)"]
      return
        "        \(names.joined(separator: "|"))) \(Self.words(option.choices, option.files)) ;;"
    }
    let operands = Self.words(command.choices, command.takesFiles ? "-f" : "")
    let lines =
      ["    \(command.rawValue))", "      options='\(names.joined(separator: " "))'"]
      + ["      case $before in"] + values + ["        *) \(operands) ;;", "      esac ;;"]
    return lines.joined(separator: "\n")
  }

  private static func words(_ words: [String], _ files: String) -> String {
    "words='\(words.joined(separator: " "))' files=\(files)"
  }
}

extension CommandOption {
  /// How compgen(1) finds the files that can be the value; nothing where none can.
  fileprivate var files: String {
    guard kind == .file else { return "" }
    return placeholder == "DIR" ? "-d" : "-f"
  }
}
