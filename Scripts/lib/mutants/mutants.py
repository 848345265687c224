#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The command line of Scripts/mutants, which explains it."""
import argparse
import json
import os
import pathlib
import re
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent.parent.parent
sys.path.insert(0, str(HERE.parent))

import report
import running

FOLDER = ROOT / os.environ.get("BUILD_SCRATCH", ".build") / "mutants"
MODULES = ["PasskeyCOSE", "WebAuthnAttestation", "WebAuthnRelyingParty"]
TESTS = [f"{module}Tests" for module in MODULES] + ["WebAuthnVectorsTests"]
PAGE = ROOT / "Documentation/Security/Mutants.md"
SURVIVORS = HERE / "survivors.txt"
# The numbers of a statistical distribution: long tests judge its shape, and none a single number.
STATISTICS = re.compile(r"Decoys/CredentialLists\.swift: .*: number [-+] 1: ")


def run(arguments):
    environment = {"PASSKEY_LAB": "1", "PASSKEY_COMPILE_ONCE": "1", "PASSKEY_TEST_TARGETS": ",".join(TESTS)}
    package = running.Package(ROOT, FOLDER, [f"Sources/RelyingParty/{module}" for module in MODULES], TESTS, environment)
    package.jobs = arguments.jobs
    package.find()
    package.leave_out(STATISTICS)
    if arguments.list:
        for mutation in package.mutations:
            if re.search(arguments.file, mutation.file):
                print(mutation.key)
        return
    package.build()
    print(f"mutants: {len(package.mutations)} mutants; {len(package.dropped)} mutations do not compile", flush=True)
    if arguments.build:
        return
    package.is_quick = arguments.quick
    package.find_tests(1 if arguments.quick else float("inf"))
    path = FOLDER / "results.jsonl"
    known = read_results(path) if arguments.survivors else {}
    open_ = [mutation for mutation in package.mutations if mutation.key not in known or report.is_survivor(known[mutation.key][0])]
    known = {mutation.key: known[mutation.key] for mutation in package.mutations if mutation not in open_}
    path.write_text("".join(line(key, verdict) for key, verdict in known.items()))
    with open(path, "a") as file:
        for mutation, verdict in package.judge_all([mutation for mutation in open_ if re.search(arguments.file, mutation.file)]):
            known[mutation.key] = verdict
            file.write(line(mutation.key, verdict))
            file.flush()
            if report.is_survivor(verdict[0]):
                print(f"survives: {mutation.file}:{mutation.line}: {mutation.place}: {mutation.kind}: {mutation.text}", flush=True)
    results = [(mutation, known[mutation.key]) for mutation in package.mutations if mutation.key in known]
    reasons = report.read_reasons(SURVIVORS)
    if arguments.page:
        PAGE.write_text(report.page(package, results, reasons))
    survivors = {mutation.key: mutation for mutation, (verdict, _) in results if report.is_survivor(verdict)}
    judged = {mutation.key for mutation, _ in results}
    faults = [f"{mutation.file}:{mutation.line}: survives: {key}" for key, mutation in survivors.items() if key not in reasons]
    for key in reasons:
        if key in judged and key not in survivors:
            print(f"is explained, but dies: {key}")
    if len(results) == len(package.mutations):
        faults += [f"is explained, and does not exist: {key}" for key in reasons if key not in judged]
    for fault in faults:
        print(fault)
    print(f"mutants: {len(results)} mutants, {len(survivors)} survive")
    print(f"{len(results) - len(survivors)} passed, {len(faults)} failed")
    if faults:
        sys.exit(1)


def line(key, verdict):
    return json.dumps([key, *verdict], ensure_ascii=False) + "\n"


def read_results(path):
    """Reads the results of the last run, which may have been interrupted."""
    return {key: (verdict, tests) for key, verdict, tests in map(json.loads, path.read_text().splitlines())} if path.exists() else {}


# A package in which one guard has no test, for --self-test.
SAMPLE = {
    "Package.swift": """\
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "Sample", targets: [.target(name: "Sample"), .testTarget(name: "SampleTests", dependencies: ["Sample"])])
""",
    "Sources/Sample/Sample.swift": """\
struct Refusal: Error {}

func admit(_ text: String?, isKnown: Bool) throws -> Int {
  guard let text else { throw Refusal() }
  guard text.utf8.count <= 8 else { throw Refusal() }
  // This one has no test.
  guard text != "forbidden" || isKnown else { throw Refusal() }
  try check(text)
  return text.utf8.count
}

private func check(_ text: String) throws {
  if text.hasPrefix("-") { throw Refusal() }
}
""",
    "Tests/SampleTests/SampleTests.swift": """\
import Testing
@testable import Sample

@Test func admits() throws {
  #expect(try admit("12345678", isKnown: true) == 8)
  #expect(throws: Refusal.self) { try admit("123456789", isKnown: true) }
  #expect(throws: Refusal.self) { try admit("1234567890", isKnown: true) }
  #expect(throws: Refusal.self) { try admit(nil, isKnown: true) }
  #expect(throws: Refusal.self) { try admit("-", isKnown: true) }
}
""",
}
SAMPLE_SURVIVORS = {
    'guard always true: text != "forbidden" || isKnown',
    'operand removed: text != "forbidden"',
    "operand removed: isKnown",
    '!= inverted: text != "forbidden"',
    '|| swapped: text != "forbidden" || isKnown',
}


def test_itself(arguments):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name) / "sample"
        for path, text in SAMPLE.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text)
        running.git(root, "init", "--quiet")
        package = running.Package(root, pathlib.Path(name) / "mutants", ["Sources/Sample"], ["SampleTests"])
        package.jobs = arguments.jobs
        package.find()
        package.build()
        package.find_tests()
        results = list(package.judge_all(package.mutations))
    survivors = {f"{mutation.kind}: {mutation.text}" for mutation, (verdict, _) in results if report.is_survivor(verdict)}
    for key in sorted(survivors ^ SAMPLE_SURVIVORS):
        print(f"mutants: error: {'survives' if key in survivors else 'dies'}: {key}")
    print(f"mutants: {len(results)} mutants of the sample, {len(survivors)} survive", flush=True)
    if survivors != SAMPLE_SURVIVORS or len(results) <= len(survivors):
        sys.exit(1)


parser = argparse.ArgumentParser(add_help=False)
parser.add_argument("--file", default="")
parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
for option in ("--list", "--build", "--page", "--quick", "--survivors", "--self-test"):
    parser.add_argument(option, action="store_true")
chosen = parser.parse_args()
(test_itself if chosen.self_test else run)(chosen)
