# SPDX-License-Identifier: Apache-2.0
"""Finds mutations in the tokens of Swift sources, and writes a copy in which each is a choice at run time.

A mutation changes one thing: a condition of a guard, a comparison, a boundary, a number, a check that is called. The copy
contains all of them, and `mutant_is(N)` asks at run time for one, so that one build serves every mutant. The types of
expressions are unknown here; a mutation that does not compile is dropped by the caller.
"""
import bisect
import dataclasses
import re

TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<comment>//[^\n]*|/\*)
    |(?P<string>\#*\"\"\"|\#*\")
    |(?P<word>`[^`]*`|[@\#$]?[A-Za-z_][A-Za-z0-9_]*|\$[0-9]+)
    |(?P<number>0x[0-9A-Fa-f_]+|0b[01_]+|[0-9][0-9_]*(\.[0-9]+)?)
    |(?P<punctuation>[()\[\]{},;:])
    |(?P<operator>[-/=+!*%<>&|^~?.]+|.)""",
    re.VERBOSE,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
# Where an operand ends on its left, besides at operators that bind less.
BEFORE = set(
    "return in guard if while where case let var else try await throw switch do repeat for defer is as default".split()
)
TYPES = {"struct", "class", "enum", "extension", "protocol", "actor"}
AFTER = {"else", "where", "in", "is", "as", "catch"}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "|=", "&=", "^=", "->", "<<=", ">>=", "%="}
LEVELS = {"?": 1, ":": 1, "||": 2, "&&": 3} | dict.fromkeys(["==", "!=", "<", "<=", ">", ">=", "===", "!==", "~="], 4)
LEVELS |= {"??": 5, "..<": 6, "...": 6}
# The other form of a boundary.
BOUNDS = {"<": "mutant_less", "<=": "mutant_lessOrEqual", ">": "mutant_greater", ">=": "mutant_greaterOrEqual"}
MOVED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">"}
# What is done at run time, for each way to change.
HELPERS = """\
// A copy for Scripts/mutants: see rewriting.py.
internal import Glibc

private let chosen: Int = getenv("PASSKEY_MUTANT").flatMap { Int(String(cString: $0)) } ?? 0
/// A file with a byte for each mutant, into which a run without one writes which it reaches.
private nonisolated(unsafe) let reached: UnsafeMutablePointer<UInt8>? = {
  guard let path = getenv("PASSKEY_MUTANTS_REACHED") else { return nil }
  let file = open(path, O_RDWR)
  let size = Int(lseek(file, 0, SEEK_END))
  return mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)?.assumingMemoryBound(to: UInt8.self)
}()

@usableFromInline func mutant_is(_ number: Int) -> Bool {
  if let reached { reached[number] = 1 }
  return number == chosen
}
@usableFromInline func mutant_flip(_ number: Int, _ value: Bool) -> Bool { mutant_is(number) ? !value : value }
@usableFromInline func mutant_true(_ number: Int, _ value: Bool) -> Bool { mutant_is(number) ? true : value }
@usableFromInline func mutant_false(_ number: Int, _ value: Bool) -> Bool { mutant_is(number) ? false : value }
@usableFromInline func mutant_and(_ number: Int, _ a: Bool, _ b: @autoclosure () throws -> Bool) rethrows -> Bool {
  mutant_is(number) ? try a || b() : try a && b()
}
@usableFromInline func mutant_or(_ number: Int, _ a: Bool, _ b: @autoclosure () throws -> Bool) rethrows -> Bool {
  mutant_is(number) ? try a && b() : try a || b()
}
@usableFromInline func mutant_less<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> Bool {
  mutant_is(number) ? a <= b : a < b
}
@usableFromInline func mutant_lessOrEqual<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> Bool {
  mutant_is(number) ? a < b : a <= b
}
@usableFromInline func mutant_greater<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> Bool {
  mutant_is(number) ? a >= b : a > b
}
@usableFromInline func mutant_greaterOrEqual<T: Comparable>(_ number: Int, _ a: T, _ b: T) -> Bool {
  mutant_is(number) ? a > b : a >= b
}
@usableFromInline func mutant_up<T: FixedWidthInteger>(_ number: Int, _ value: T) -> T {
  mutant_is(number) ? value &+ 1 : value
}
@usableFromInline func mutant_down<T: FixedWidthInteger>(_ number: Int, _ value: T) -> T {
  mutant_is(number) ? value &- 1 : value
}
@usableFromInline func mutant_nil<T>(_ number: Int, _ value: T?) -> T? { mutant_is(number) ? nil : value }
"""


@dataclasses.dataclass
class Mutation:
    """A change of one thing. The texts before and after enclose the changed text from `start` to `end`."""

    kind: str
    start: int
    end: int
    before: str
    after: str
    # A token between them that becomes another one.
    token: tuple = None
    file: str = ""
    line: int = 0
    place: str = ""
    text: str = ""
    number: int = 0

    @property
    def key(self):
        """Names the mutation in files that stay valid when lines move."""
        return f"{self.file}: {self.place}: {self.kind}: {self.text}"


class Source:
    """The tokens of a file, and the mutations in them."""

    def __init__(self, text):
        self.text = text
        self.tokens, self.starts, self.ends, self.comments = [], [], [], []
        self.tokenize()
        self.partner = {}
        waiting = []
        for index, token in enumerate(self.tokens):
            if token in CLOSING:
                waiting.append(index)
            elif token in (")", "]", "}") and waiting:
                opening = waiting.pop()
                self.partner[opening], self.partner[index] = index, opening
        self.lines = [0] + [match.end() for match in re.finditer("\n", text)]
        self.bodies, self.skipped, self.mutations = set(), set(), []
        self.inverted = set()
        self.places = self.find_places()
        self.find()

    def tokenize(self):
        text, at = self.text, 0
        while at < len(text):
            match = TOKEN.match(text, at)
            end = match.end()
            if match["space"] is not None:
                at = end
                continue
            if match["comment"] is not None:
                if match["comment"] == "/*":
                    end = text.index("*/", end) + 2
                self.comments.append((at, text[at:end]))
                at = end
                continue
            if match["string"] is not None:
                end = self.string_end(match["string"], end)
            self.tokens.append(text[at:end] if match["string"] is None else '""')
            self.starts.append(at)
            self.ends.append(end)
            at = end

    def string_end(self, opening, at):
        hashes = opening.rstrip('"')
        closing = opening[len(hashes) :] + hashes
        escape = "\\" + hashes
        while not self.text.startswith(closing, at):
            if self.text.startswith(escape, at):
                at += len(escape)
                if self.text[at] == "(":
                    at = self.interpolation_end(at + 1)
                    continue
            at += 1
        return at + len(closing)

    def interpolation_end(self, at):
        depth = 1
        while depth:
            match = re.compile(r'\#*"""|\#*"').match(self.text, at)
            if match:
                at = self.string_end(match[0], match.end())
                continue
            depth += {"(": 1, ")": -1}.get(self.text[at], 0)
            at += 1
        return at

    # MARK: Places

    def line(self, offset):
        return bisect.bisect_right(self.lines, offset)

    def is_spaced(self, index):
        """Whether an operator has space on both sides, as binary ones do."""
        return self.text[self.starts[index] - 1].isspace() and self.text[self.ends[index]].isspace()

    def is_break(self, index):
        """Whether a statement ends before this token."""
        if index == 0 or "\n" not in self.text[self.ends[index - 1] : self.starts[index]]:
            return False
        last, token = self.tokens[index - 1], self.tokens[index]
        if last in (",", "(", "[") or last in BEFORE and last not in ("in", "return"):
            return False
        # A binary or prefix operator at the end of a line; a postfix one ends an operand.
        if self.is_operator(last) and self.text[self.starts[index - 1] - 1].isspace():
            return False
        if self.is_operator(token) and (token[0] == "." or self.text[self.ends[index]].isspace()):
            return False
        return token not in AFTER

    @staticmethod
    def is_operator(token):
        return bool(re.fullmatch(r"[-/=+!*%<>&|^~?.]+", token))

    def level(self, index):
        token = self.tokens[index]
        return LEVELS.get(token) if self.is_spaced(index) or token == ":" else None

    def left(self, index, level, is_right_associative=False):
        """Returns the first token of the operand before an operator."""
        at = index
        while at > 0:
            if self.is_break(at):
                return at
            token = self.tokens[at - 1]
            if token in (")", "]", "}"):
                at = self.partner[at - 1]
                continue
            other = self.level(at - 1)
            is_end = token in CLOSING or token in (",", ";") or token in BEFORE or token in ASSIGNMENTS
            if token in ("!", "?") and self.tokens[at - 2] == "try":
                is_end = True
            if other is not None and (other < level or is_right_associative and other == level):
                is_end = True
            if is_end:
                return at
            at -= 1
        return at

    def right(self, index, level, is_right_associative=False):
        """Returns the last token of the operand behind an operator."""
        at = index
        while at + 1 < len(self.tokens):
            if at != index and self.is_break(at + 1):
                return at
            token = self.tokens[at + 1]
            if token in (")", "]", "}", ",", ";") or token in AFTER or token in ASSIGNMENTS or at + 1 in self.bodies:
                return at
            other = self.level(at + 1)
            if other is not None and (other < level or not is_right_associative and other == level):
                return at
            at = self.partner[at + 1] if token in CLOSING else at + 1
        return at

    def statement_end(self, index):
        """Returns the last token of the statement that begins here."""
        at = index
        while at + 1 < len(self.tokens):
            if at != index and (self.is_break(at + 1) or self.tokens[at + 1] in (")", "]", "}", ";")):
                return at
            at = self.partner[at + 1] if self.tokens[at + 1] in CLOSING else at + 1
        return at

    # MARK: Mutations

    def add(self, kind, first, last, before, after=")", token=None, shown=None):
        """Adds a mutation of the tokens from `first` to `last`."""
        if first > last or any(index in self.skipped for index in (first, last)):
            return
        start, end = self.starts[first], self.ends[last]
        text = " ".join(re.sub(r"//.*", "", shown or self.text[start:end]).split())
        if len(text) > 90:
            text = text[:89] + "…"
        mutation = Mutation(kind, start, end, before, after, token, line=self.line(start), place=self.place(start), text=text)
        self.mutations.append(mutation)

    def add_flip(self, kind, first, last, shown=None):
        if (first, last) not in self.inverted:
            self.inverted.add((first, last))
            self.add(kind, first, last, "mutant_flip(#, ", shown=shown)

    def find(self):
        self.find_skipped()
        self.find_conditions()
        self.find_operators()
        self.find_statements()
        self.find_results()
        self.find_literals()

    def find_skipped(self):
        """Skips texts for people: descriptions, and what a check says about the values that it compared."""
        for index, token in enumerate(self.tokens):
            if token in ("description", "debugDescription") and self.tokens[index - 1] == "var":
                opening = self.tokens.index("{", index)
                self.skipped.update(range(index, self.partner[opening] + 1))
            if token == "String" and self.tokens[index - 1] == "->" and self.tokens[index + 1] == "{":
                self.skipped.update(range(index, self.partner[index + 1] + 1))
            if token.startswith("@") and token != "@" and self.tokens[index + 1 : index + 2] == ["("]:
                self.skipped.update(range(index, self.partner[index + 1] + 1))
            is_step = token in ("require", "note", "pass", "fail") and self.tokens[index - 2 : index] == ["steps", "."]
            if is_step and self.tokens[index + 1] == "(":
                end, at = self.partner[index + 1], index + 2
                if token == "require":
                    # The first argument is the condition.
                    while self.tokens[at] != ",":
                        at = self.partner[at] + 1 if self.tokens[at] in CLOSING else at + 1
                self.skipped.update(range(at, end))

    def find_conditions(self):
        for index, token in enumerate(self.tokens):
            before = self.tokens[index - 1] if index else ""
            is_step = token == "require" and self.tokens[max(0, index - 2) : index] == ["steps", "."]
            if is_step:
                end = self.condition_end(index + 2, ",")
                if self.tokens[index + 2 : end] != ["false"]:
                    self.gate("check", index + 2, end - 1, ["true"])
            if before in (".", "(", ",") or self.tokens[index + 1 : index + 2] == [":"] or index in self.skipped:
                continue
            if token in ("if", "while", "guard"):
                end = self.condition_end(index + 1, "else" if token == "guard" else "{")
                if token != "guard":
                    self.bodies.add(end)
                self.clauses(index + 1, end, token)
            elif token == "for":
                end = self.condition_end(index + 1, "{")
                self.bodies.add(end)
                self.where(index, end)
            elif token == "case" and before in ("{", ":", "}", ")", "]") or token == "case" and self.is_break(index):
                end = self.condition_end(index + 1, ":")
                self.where(index, end)
            elif token == "switch":
                self.bodies.add(self.condition_end(index + 1, "{"))

    def condition_end(self, at, closing):
        while self.tokens[at] != closing:
            if self.tokens[at] in (")", "]", "}"):
                return at
            at = self.partner[at] + 1 if self.tokens[at] in CLOSING else at + 1
        return at

    def where(self, index, end):
        at = index
        while at < end and self.tokens[at] != "where":
            if at > index and self.is_break(at):
                return
            at = self.partner[at] + 1 if self.tokens[at] in CLOSING else at + 1
        if at < end:
            self.gate("where", at + 1, end - 1, ["true", "false"])

    def clauses(self, first, end, word):
        at = start = first
        while at <= end:
            if at == end or self.tokens[at] == ",":
                if self.tokens[start] in ("let", "var", "case"):
                    shown = self.text[self.starts[start] : self.ends[at - 1]]
                    self.add(f"{word} binding fails", start, start, "!mutant_is(#), ", "", shown=shown)
                elif not self.tokens[start].startswith("#"):
                    self.gate(word, start, at - 1, ["true"] if word == "guard" else ["true", "false"])
                start = at + 1
            at = self.partner[at] + 1 if at < end and self.tokens[at] in CLOSING else at + 1

    def gate(self, word, first, last, values):
        """A condition that always or never holds, or is inverted."""
        for value in values:
            self.add(f"{word} always {value}", first, last, f"mutant_{value}(#, ")
        if len(values) == 1:
            self.add_flip(f"{word} inverted", first, last)

    def find_operators(self):
        for index, token in enumerate(self.tokens):
            if index in self.skipped or index == 0:
                continue
            if token == "!" and self.tokens[index - 1] not in ("try", "as") and self.is_prefix(index):
                self.add_flip("not removed", index, self.right(index, 9))
            if token not in LEVELS or not self.is_spaced(index) or self.tokens[index - 1] == "func":
                continue
            level = LEVELS[token]
            if token == "??":
                self.add("default always", self.left(index, level, True), index - 1, "mutant_nil(#, ")
                continue
            if token == "?":
                self.ternary(index)
                continue
            first, last = self.left(index, level), self.right(index, level)
            if token in ("&&", "||"):
                value = "true" if token == "&&" else "false"
                self.add("operand removed", first, index - 1, f"mutant_{value}(#, ")
                self.add("operand removed", index + 1, last, f"mutant_{value}(#, ")
                name = "mutant_and" if token == "&&" else "mutant_or"
                self.add(f"{token} swapped", first, last, f"{name}(#, ", token=(index, ","))
            elif level == 4:
                is_tuple = self.tokens[index + 1] == "(" and "," in self.tokens[index + 2 : self.partner[index + 1]]
                if token in BOUNDS and not is_tuple:
                    self.add(f"{token} becomes {MOVED[token]}", first, last, f"{BOUNDS[token]}(#, ", token=(index, ","))
                self.add_flip(f"{token} inverted", first, last)

    def is_prefix(self, index):
        before = self.text[self.starts[index] - 1]
        return (before.isspace() or before in "([{") and not self.text[self.ends[index]].isspace()

    def ternary(self, index):
        colon = index + 1
        while self.tokens[colon] != ":":
            colon = self.partner[colon] + 1 if self.tokens[colon] in CLOSING else colon + 1
        if self.tokens[index + 1] == '""' or self.tokens[colon + 1] == '""':
            return
        first = self.left(index, 1, True)
        self.add("choice always true", first, index - 1, "mutant_true(#, ")
        self.add("choice always false", first, index - 1, "mutant_false(#, ")

    def find_statements(self):
        for index, token in enumerate(self.tokens):
            if index in self.skipped or not (self.is_break(index) or self.tokens[index - 1] == "{"):
                continue
            is_step = self.tokens[index + 1 : index + 4] == ["steps", ".", "require"]
            is_step = is_step or self.tokens[index + 1 : index + 4] == ["self", ".", "init"]
            if token == "try" and self.tokens[index + 1] not in ("?", "!") and not is_step:
                end = self.statement_end(index)
                if not self.has_assignment(index, end) and not self.is_value(index, end):
                    self.add("call removed", index, end, "if !mutant_is(#) { ", " }")
            if token == "throw" and not self.is_alone(index):
                self.add("throw removed", index, self.statement_end(index), "if !mutant_is(#) { ", " }")

    def is_value(self, index, end):
        """Whether a statement is the value of its closure or function."""
        opening = max((at for at in self.partner if self.tokens[at] == "{" and at < index < self.partner[at]), default=0)
        if self.tokens[end + 1] != "}" or self.tokens[index - 1] not in ("{", "in"):
            return False
        head = self.tokens[max(0, opening - 40) : opening]
        words = [at for at, token in enumerate(head) if token in ("func", "init", "do", "catch", "else", "{", "}", "var")]
        start = head[words[-1] :] if words else head
        is_void = start[:1] in (["func"], ["init"], ["do"], ["catch"], ["else"]) and "->" not in start
        return self.tokens[index - 1] == "in" or opening not in self.bodies and not is_void

    def has_assignment(self, index, end):
        while index <= end:
            if self.tokens[index] in ASSIGNMENTS:
                return True
            index = self.partner[index] + 1 if self.tokens[index] in CLOSING else index + 1
        return False

    def is_alone(self, index):
        """Whether a throw ends a block. Then the block's condition is mutated instead, or the block must throw."""
        end = self.statement_end(index)
        return self.tokens[end + 1] == "}"

    def find_results(self):
        """Inverts what functions and properties of type Bool return."""
        for index, token in enumerate(self.tokens):
            if token != "Bool" or self.tokens[index - 1] not in ("->", ":") or self.tokens[index + 1 : index + 2] != ["{"]:
                continue
            opening = index + 1
            closing = self.partner[opening]
            if index in self.skipped:
                continue
            returns = [at for at in range(opening, closing) if self.tokens[at] == "return" and self.is_own(at, opening)]
            for at in returns:
                self.add_flip("result inverted", at + 1, self.statement_end(at))
            is_one = self.statement_end(opening + 1) == closing - 1
            if not returns and is_one and self.tokens[opening + 1] not in ("if", "switch", "get", "guard", "let"):
                self.add_flip("result inverted", opening + 1, closing - 1)

    def is_own(self, at, opening):
        """Whether no closure or function lies between a return and the body."""
        enclosing = [index for index in self.partner if self.tokens[index] == "{" and opening < index < at < self.partner[index]]
        return all(index in self.bodies or self.tokens[index - 1] in ("else", "do") for index in enclosing)

    def find_literals(self):
        patterns = self.patterns()
        for index, token in enumerate(self.tokens):
            if index in self.skipped or index in patterns or index == 0:
                continue
            last = self.tokens[index - 1]
            if token in ("true", "false") and last not in ("==", "!=", "."):
                self.add_flip(f"{token} inverted", index, index)
            if re.fullmatch(r"0x[0-9A-Fa-f_]+|[0-9][0-9_]*", token) and last != ".":
                # Of a list of numbers, such as an object identifier, the last one.
                if last in (",", "[") and self.tokens[index + 1] == "," and re.match("[0-9]", self.tokens[index + 2]):
                    continue
                self.add("number + 1", index, index, "mutant_up(#, ")
                if token != "0":
                    self.add("number - 1", index, index, "mutant_down(#, ")

    def patterns(self):
        """The tokens of patterns and of raw values."""
        found = set()
        for index, token in enumerate(self.tokens):
            if token == "case" and self.tokens[index - 1] != ".":
                at = index
                while self.tokens[at + 1] not in (":", "where", "=", "{", "}") and not (self.is_break(at + 1) and at > index):
                    at = self.partner[at + 1] if self.tokens[at + 1] in CLOSING else at + 1
                if self.tokens[at + 1] == "=" and re.match("[-0-9]", self.tokens[at + 2]) and self.is_break(index):
                    at += 3
                found.update(range(index, at + 1))
        return found

    # MARK: The copy

    def find_places(self):
        """Finds the members of types and of the file."""
        found, braces, is_type = [], [], False
        for index, token in enumerate(self.tokens):
            last, next_ = self.tokens[index - 1] if index else "", (self.tokens + [""])[index + 1]
            if token in TYPES and last != "." and re.match("`?[A-Z]", next_):
                is_type = True
            elif token == "{":
                braces.append(is_type)
                is_type = False
            elif token == "}":
                braces.pop()
            elif token in ("func", "var", "let", "init", "subscript") and last != "." and all(braces):
                found.append((self.starts[index], token if token in ("init", "subscript") else next_.strip("`")))
        return found

    def place(self, offset):
        """The function or property in which an offset lies."""
        at = bisect.bisect_right([start for start, _ in self.places], offset) - 1
        return self.places[at][1] if at >= 0 else ""

    def write(self, mutations):
        """Returns the text with these mutations as choices."""
        edits = []
        for order, mutation in enumerate(mutations):
            length = mutation.end - mutation.start
            # At one place, the longer one opens first and closes last.
            before = mutation.before.replace("#", str(mutation.number))
            # A mutation that needs the operator is the innermost one.
            depth = (mutation.token is not None, order)
            edits.append((mutation.start, 1, -length, depth, before, 0))
            edits.append((mutation.end, 0, length, tuple(-part for part in depth), mutation.after, 0))
            if mutation.token:
                index, text = mutation.token
                edits.append((self.starts[index], 2, 0, (), text, self.ends[index] - self.starts[index]))
        parts, at = [], 0
        for offset, _, _, _, text, removed in sorted(edits):
            parts += [self.text[at:offset], text]
            at = offset + removed
        copy = "".join(parts + [self.text[at:]])
        # The body of an inlinable function could not call what only this module has.
        return re.sub(r"@inlinable\b *", "", copy)
