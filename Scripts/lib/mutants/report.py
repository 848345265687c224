# SPDX-License-Identifier: Apache-2.0
"""Writes what a run of Scripts/mutants found: the page, and the survivors that are not explained."""
import collections
import pathlib
import re

CEREMONIES = "WebAuthnRelyingParty/Ceremonies"
# The files of the attestation formats. What several formats share is not in the table.
FORMATS = {
    "packed": ["Formats/PackedAttestation"],
    "tpm": ["Formats/TPMAttestation", "Formats/GeneralNames", "TPM/"],
    "android-key": ["Formats/AndroidKeyAttestation", "Formats/KeyDescription", "Trust/AndroidKeyPath"],
    "android-safetynet": ["Formats/SafetyNetAttestation", "Tokens/"],
    "fido-u2f": ["Formats/FIDOU2FAttestation"],
    "apple": ["Formats/AppleAttestation"],
    "compound": ["Formats/CompoundAttestation"],
    "none": ["Formats/NoneAttestation"],
}
HEAD = """# Mutants

`Scripts/mutants` writes this page. It changes one thing at a time in the modules that decide about a ceremony: a condition always
holds or never, is inverted, a boundary moves, a number is one more or less, a check is not called. Then it runs the tests of
these modules and the test vectors that reach the changed place. A mutant that no test notices survives: it is a test that is
missing, or it is named below with the reason. Texts for people, such as descriptions and what a check says about the values that
it compared, are not changed.

"""
DEATHS = {
    "failed": "a test failed",
    "stopped": "the program stopped",
    "time-out": "no end within ten times the usual time",
    "not reached": "survived",
    "survived": "survived",
}


def read_reasons(path):
    """Reads the explained survivors: a line with the reason, and the mutants below it."""
    reasons, reason = {}, ""
    for line in path.read_text().splitlines():
        if line.startswith("= "):
            reason = line[2:]
        elif line and not line.startswith("#"):
            reasons[line] = reason
    return reasons


class Steps:
    """The steps of the two ceremonies, and the functions that check them."""

    def __init__(self, package):
        self.package = package
        self.lines, self.functions, self.types = collections.defaultdict(dict), collections.defaultdict(set), collections.defaultdict(set)
        for section, file in (("§7.1", "RegistrationCeremony"), ("§7.2", "AuthenticationCeremony")):
            name = f"Sources/RelyingParty/{CEREMONIES}/{file}.swift"
            step = None
            for number, line in enumerate(package.sources[name].text.splitlines(), 1):
                comment = re.match(r" *// (\d+)\. ", line)
                if line.startswith("// MARK"):
                    break
                if comment:
                    step = (section, int(comment[1]))
                elif re.match(r" *steps\.note\(", line) or line.startswith("  }"):
                    step = step if line.startswith("      ") else None
                elif step:
                    self.lines[name][number] = step
                    for called in re.findall(r"\b([a-z]\w+)\(", line):
                        self.functions[called].add(step)
                    for made in re.findall(r"\b([A-Z]\w+Checks)\(", line):
                        self.types[made].add(step)
        # Their functions are checks of different steps.
        self.types.pop("ClientDataChecks", None)
        self.types.pop("FlagChecks", None)
        self.types["PaymentChecks"].add(("§7.2", 12))
        self.functions["publicKey"].add(("§7.2", 21))

    def of(self, mutation):
        name = f"Sources/RelyingParty/{mutation.file}"
        if not mutation.file.startswith(CEREMONIES):
            return set()
        if mutation.line in self.lines.get(name, {}):
            return {self.lines[name][mutation.line]}
        steps = self.types.get(pathlib.Path(mutation.file).stem) or self.functions.get(mutation.place, set())
        section = {"RegistrationCeremony": "§7.1", "AuthenticationCeremony": "§7.2"}.get(pathlib.Path(mutation.file).stem)
        return {step for step in steps if section in (None, step[0])}


def table(head, rows):
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join(lines + [f"| {' | '.join(str(cell) for cell in row)} |" for row in rows]) + "\n"


def share(found):
    """The cells of a row: mutants, killed ones, and the tests that killed them."""
    killed = [tests for _, (verdict, tests) in found if not is_survivor(verdict)]
    names = collections.Counter(test for tests in killed for test in tests)
    return [len(found), len(killed), len(names)], names


def is_survivor(verdict):
    return verdict in ("survived", "not reached")


def shown(test):
    """A test's name without module, backquotes and parameters."""
    suite, _, name = test.partition(".")[2].partition("/")
    name = re.sub(r"\(.*\)$", "", name).strip("`").replace("|", "\\|")
    return f"{suite}: {name}" if name else suite


def page(package, results, reasons):
    text = [HEAD]
    counts, _ = share(results)
    mutants, killed, tests = counts
    open_ = len(package.mutations) - mutants
    rest = f" The run was interrupted: {open_:,} mutants are not judged yet." if open_ else ""
    rest += " Tests that take more than a second were left out." if package.is_quick else ""
    text.append(
        f"{mutants:,} mutants, {killed:,} killed by {tests} of {len(package.tests)} tests; {mutants - killed} survive for the reasons "
        f"below. {len(package.dropped)} further mutations do not compile.{rest}\n\n## By module\n\n"
    )
    modules = collections.defaultdict(list)
    for mutation, verdict in results:
        modules[mutation.file.split("/")[0]].append((mutation, verdict))
    missing = collections.Counter(mutation.file.split("/")[0] for mutation in package.dropped)
    text.append(
        table(
            ["module", "mutants", "killed", "tests that kill", "survive", "not compiled"],
            [[module, *share(found)[0], len(found) - share(found)[0][1], missing[module]] for module, found in sorted(modules.items())],
        )
    )
    ends = collections.Counter(DEATHS[verdict] for _, (verdict, _) in results)
    text.append("\n" + table(["end", "mutants"], ends.most_common()))
    kinds = collections.defaultdict(list)
    for mutation, verdict in results:
        kinds[mutation.kind].append((mutation, verdict))
    text.append("\n## By change\n\n")
    rows = sorted(kinds.items(), key=lambda item: (-len(item[1]), item[0]))
    text.append(table(["change", "mutants", "killed"], [[f"`{kind}`".replace("|", "\\|"), *share(found)[0][:2]] for kind, found in rows]))
    text.append(
        "\n## Steps of the ceremonies\n\nThe mutants in the code of each step of Web Authentication Level 3, and the tests that fail. Tests are run "
        "until some fail, so more may notice. Steps without a row have no code of their own that can fail; step 22 is in the next table.\n\n"
    )
    steps, by_step = Steps(package), collections.defaultdict(list)
    for mutation, verdict in results:
        for step in steps.of(mutation):
            by_step[step].append((mutation, verdict))
    rows = []
    for (section, number), found in sorted(by_step.items()):
        cells, names = share(found)
        rows.append([f"{section} step {number}", *cells, "; ".join(shown(name) for name, _ in names.most_common(2))])
    text.append(table(["step", "mutants", "killed", "tests that fail", "most often"], rows))
    text.append("\n## Attestation formats\n\nWhat several formats share, such as certificate paths and metadata, is not counted here.\n\n")
    rows = []
    for name, places in FORMATS.items():
        prefixes = tuple(f"WebAuthnAttestation/{place}" for place in places)
        cells, names = share([(mutation, verdict) for mutation, verdict in results if mutation.file.startswith(prefixes)])
        rows.append([f"`{name}`", *cells, "; ".join(shown(name) for name, _ in names.most_common(2))])
    text.append(table(["format", "mutants", "killed", "tests that fail", "most often"], rows))
    text.append("\n## Survivors\n\n")
    groups = collections.defaultdict(list)
    for mutation, (verdict, _) in results:
        if is_survivor(verdict):
            groups[reasons.get(mutation.key, "**not explained**")].append(mutation)
    for reason, found in sorted(groups.items(), key=lambda item: -len(item[1])):
        text.append(f"{reason}:\n\n")
        text += [f"- `{mutation.key.replace('`', '')}`\n" for mutation in found]
        text.append("\n")
    return "".join(text).rstrip("\n") + "\n"
