// SPDX-License-Identifier: Apache-2.0

/// The scripts that make a shell ask the program for completions.
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

  /// Bash also splits words at characters such as "=", "@" and ":". The script joins the parts before asking the
  /// program, and returns to Bash only the text after the last of these characters.
  private static func bash(_ program: String, _ function: String) -> String {
    """
    # Completions of \(program) for bash.
    \(function)() {
      local line word rest=${COMP_LINE:0:COMP_POINT} trimmed words=() i
      for ((i = 0; i <= COMP_CWORD; i++)); do
        trimmed=${rest#"${rest%%[![:space:]]*}"}
        word=${COMP_WORDS[i]}
        ((i < COMP_CWORD)) || word=$trimmed
        if [[ $i == 0 || $trimmed != "$rest" ]]; then words+=("$word"); else words[-1]+=$word; fi
        rest=${trimmed#"$word"}
      done
      local current=${words[-1]} before sign
      before=${current%"$2"}
      COMPREPLY=()
      while IFS= read -r line; do
        if [[ $line == :files ]]; then
          compopt -o filenames 2>/dev/null
          while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -f -- "$current")
        elif [[ $line == :files* ]]; then
          sign=${line#:files}
          while IFS= read -r line; do
            if [[ -d $line ]]; then
              compopt -o nospace 2>/dev/null
              line+=/
            fi
            printf -v line '%s%q' "$sign" "$line"
            COMPREPLY+=("${line#"$before"}")
          done < <(compgen -f -- "${current#"$sign"}")
        else
          line=${line%%$'\\t'*}
          COMPREPLY+=("${line#"$before"}")
        fi
      done < <(\(program) completions words -- "${words[@]:1}" 2>/dev/null)
    }
    complete -F \(function) \(program)

    """
  }

  private static func zsh(_ program: String, _ function: String) -> String {
    """
    #compdef \(program)
    # Completions of \(program) for zsh.
    \(function)() {
      local line files=none
      local -a found
      while IFS= read -r line; do
        if [[ $line == :files* ]]; then
          files=${line#:files}
        elif [[ $line == *$'\\t'* ]]; then
          found+=("${${line%%$'\\t'*}//:/\\:}:${line#*$'\\t'}")
        else
          found+=("${line//:/\\:}")
        fi
      done < <(\(program) completions words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
      (( $#found )) && _describe -V '\(program)' found
      if [[ -z $files ]] || [[ $files != none ]] && compset -P "$files"; then
        _files
      elif [[ $files != none ]]; then
        _files -P "$files"
      fi
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
        else if string match -q -- ':files*' "$line"
          set -l sign (string sub -s 7 -- "$line")
          set -l name "$current"
          if string match -q -- "$sign*" "$name"
            set name (string sub -s (math 1 + (string length -- "$sign")) -- "$name")
          end
          for file in (__fish_complete_path "$name")
            echo "$sign$file"
          end
        else
          echo $line
        end
      end
    end
    complete -c \(program) -f -a '(\(function))'

    """
  }
}
