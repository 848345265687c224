# SPDX-License-Identifier: Apache-2.0
#
# Prints the tokens of Swift files, one per line: file, line and token, separated by tabs. Comments are omitted, and a string
# is the single token "", so that their content is not mistaken for code. The code of an interpolation is code.
# A raw identifier is printed without backquotes, after the token "`". Run with LC_ALL=C.
#
# Not supported: a bare regex literal that contains a quotation mark or an opening comment (#/…/# is).

FNR == 1 { depth = 0; mode[0] = "code" }

{
  rest = $0
  while (rest != "") {
    if (mode[depth] == "comment") comment()
    else if (mode[depth] == "text") text()
    else code()
  }
  # A single-line string and its interpolations end with the line.
  for (outer = 1; outer <= depth; outer++) {
    if (mode[outer] == "text" && !long[outer]) depth = outer - 1
  }
}

function take(count) { rest = substr(rest, count + 1) }

function emit(token) { print FILENAME "\t" FNR "\t" token }

function push(kind) { depth++; mode[depth] = kind }

function comment() {
  if (!match(rest, /\/\*|\*\//)) { rest = ""; return }
  if (substr(rest, RSTART, 2) == "/*") nested[depth]++
  else nested[depth]--
  take(RSTART + 1)
  if (nested[depth] == 0) depth--
}

function text(    closing, escape) {
  closing = index(rest, delimiter[depth])
  escape = index(rest, "\\" hashes[depth])
  if (escape && (!closing || escape < closing)) {
    take(escape + length(hashes[depth]))
    if (substr(rest, 1, 1) == "(" && !regex[depth]) { push("code"); parentheses[depth] = 1 }
    take(1)
    return
  }
  if (!closing) { rest = ""; return }
  take(closing + length(delimiter[depth]) - 1)
  depth--
}

function open(pattern_length, mark) {
  emit("\"\"")
  push("text")
  hashes[depth] = substr(rest, 1, pattern_length - length(mark))
  delimiter[depth] = mark hashes[depth]
  regex[depth] = mark == "/"
  long[depth] = mark != "\""
  take(pattern_length)
}

function code(    character) {
  if (match(rest, /^[ \t\r\f]+/)) { take(RLENGTH); return }
  if (rest ~ /^\/\//) { rest = ""; return }
  if (rest ~ /^\/\*/) { push("comment"); nested[depth] = 1; take(2); return }
  if (match(rest, /^#*"""/)) { open(RLENGTH, "\"\"\""); return }
  if (match(rest, /^#*"/)) { open(RLENGTH, "\""); return }
  if (match(rest, /^#+\//)) { open(RLENGTH, "/"); return }
  if (match(rest, /^`[^`]*`/)) { emit("`"); emit(substr(rest, 2, RLENGTH - 2)); take(RLENGTH); return }
  if (match(rest, /^(try|as)!/) && rest !~ /^(try|as)!=/) { emit(substr(rest, 1, RLENGTH)); take(RLENGTH); return }
  if (match(rest, /^[@#]?[A-Za-z_\200-\377][A-Za-z0-9_\200-\377]*/) || match(rest, /^[0-9][A-Za-z0-9_]*/)) {
    emit(substr(rest, 1, RLENGTH))
    take(RLENGTH)
    return
  }
  character = substr(rest, 1, 1)
  emit(character)
  take(1)
  if (depth > 0 && mode[depth] == "code") {
    if (character == "(") parentheses[depth]++
    if (character == ")" && --parentheses[depth] == 0) depth--
  }
}
