// SPDX-License-Identifier: Apache-2.0

/// What a shell reads once, to ask the program for words from then on.
enum CompletionScript: String, CaseIterable {
  case bash, zsh, fish

  func text(for program: String) -> String {
    let function = "_" + program.map { $0 == "-" ? "_" : String($0) }.joined()
    return switch self {
    case .bash: Self.bash(program, function)
    case .zsh: Self.zsh(program, function)
    case .fish: Self.fish(program, "_" + function)
    }
  }

  /// Bash breaks words at "=" and hands the sign over by itself.
  private static func bash(_ program: String, _ function: String) -> String {
    """
    # Completions of \(program) for bash.
    \(function)() {
      local line word words=() current=${COMP_WORDS[COMP_CWORD]}
      [[ $current == = ]] && current=
      for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
        [[ $word == = ]] || words+=("$word")
      done
      COMPREPLY=()
      while IFS= read -r line; do
        if [[ $line == :files ]]; then
          compopt -o filenames 2>/dev/null
          while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
        else
          COMPREPLY+=("${line%%$'\\t'*}")
        fi
      done < <(\(program) completions words -- "${words[@]}" "$current" 2>/dev/null)
    }
    complete -F \(function) \(program)

    """
  }

  private static func zsh(_ program: String, _ function: String) -> String {
    """
    #compdef \(program)
    # Completions of \(program) for zsh.
    \(function)() {
      local line files=0
      local -a found
      while IFS= read -r line; do
        if [[ $line == :files ]]; then
          files=1
        elif [[ $line == *$'\\t'* ]]; then
          found+=("${${line%%$'\\t'*}//:/\\:}:${line#*$'\\t'}")
        else
          found+=("${line//:/\\:}")
        fi
      done < <(\(program) completions words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
      (( $#found )) && _describe -V '\(program)' found
      (( files )) && _files
      return 0
    }
    if [[ $funcstack[1] == \(function) ]]; then
      \(function) "$@"
    else
      compdef \(function) \(program)
    fi

    """
  }

  private static func fish(_ program: String, _ function: String) -> String {
    """
    # Completions of \(program) for fish.
    function \(function)
      set -l words (commandline -opc)
      set -e words[1]
      set -l current (commandline -ct)
      for line in (\(program) completions words -- $words "$current" 2>/dev/null)
        if test "$line" = :files
          __fish_complete_path "$current"
        else
          echo $line
        end
      end
    end
    complete -c \(program) -f -a '(\(function))'

    """
  }
}
