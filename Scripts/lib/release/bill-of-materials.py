#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the bill of materials of a release as SPDX 2.3 JSON.

    bill-of-materials.py VERSION SECONDS ARCHIVE PROGRAM...

SECONDS is the time of the commit. The programs contain our code and the Swift runtime, and load other libraries from the
system. The list names those that they need directly, with the versions of the Debian packages on the building machine.
"""

import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys

version, seconds, archive, *programs = sys.argv[1:]
archive = pathlib.Path(archive)


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def sha256(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def identifier(name):
    return "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name)


def package(name, version, supplier, license, purpose, **more):
    return {
        "SPDXID": identifier(name), "name": name, "versionInfo": version, "supplier": supplier,
        "downloadLocation": "NOASSERTION", "filesAnalyzed": False, "licenseConcluded": license,
        "licenseDeclared": license, "copyrightText": "NOASSERTION", "primaryPackagePurpose": purpose, **more,
    }


def debian_packages():
    """The packages of the libraries that the programs name, by name and version."""
    libraries = set()
    for program in programs:
        places = dict(re.findall(r"(\S+) => (/\S+)", output("ldd", program)))
        named = re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "--dynamic", program))
        libraries.update(places[name] for name in named if name in places)
    found = {}
    for library in sorted(libraries):
        # dpkg knows files by their path before or after /usr was merged.
        for path in (library, str(pathlib.Path(library).resolve()), library.removeprefix("/usr")):
            query = subprocess.run(["dpkg-query", "--search", path], capture_output=True, text=True)
            if query.returncode == 0:
                name = query.stdout.split(":")[0]
                found[name] = output("dpkg-query", "--show", "--showformat", "${Version}\n", name).split("\n")[0]
                break
        else:
            sys.exit(f"bill-of-materials: error: no package has {library}")
    return found


swift = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
ours = package(
    "passkey", version, "NOASSERTION", "Apache-2.0", "APPLICATION", packageFileName=archive.name,
    checksums=[{"algorithm": "SHA256", "checksumValue": sha256(archive)}])
runtime = package("swift-runtime", swift, "Organization: Swift.org", "Apache-2.0 WITH Swift-exception", "LIBRARY")
loaded = [
    package(
        name, number, "Organization: Debian", "NOASSERTION", "LIBRARY",
        externalRefs=[{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{name}@{number.replace('+', '%2B').replace(':', '%3A')}",
        }])
    for name, number in sorted(debian_packages().items())
]
relationships = [("SPDXRef-DOCUMENT", "DESCRIBES", ours), (ours["SPDXID"], "STATIC_LINK", runtime)]
relationships += [(ours["SPDXID"], "DYNAMIC_LINK", library) for library in loaded]
document = {
    "spdxVersion": "SPDX-2.3",
    "dataLicense": "CC0-1.0",
    "SPDXID": "SPDXRef-DOCUMENT",
    "name": archive.name.removesuffix(".tar.gz"),
    "documentNamespace": f"https://spdx.org/spdxdocs/{archive.name}-{sha256(archive)}",
    "creationInfo": {
        "created": datetime.datetime.fromtimestamp(int(seconds), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "creators": ["Tool: passkey-bill-of-materials"],
    },
    "packages": [ours, runtime, *loaded],
    "relationships": [
        {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related["SPDXID"]}
        for element, kind, related in relationships
    ],
}
print(json.dumps(document, indent=2))
