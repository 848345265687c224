#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints the bill of materials of a release as SPDX 2.3 JSON.

    bill-of-materials.py VERSION SECONDS IMAGE-PACKAGES FILE... -- PROGRAM...

SECONDS is the time of the commit. The programs contain our code and the Swift runtime, and load other libraries from the
system: the list names those that they need directly, with the versions of the Debian packages on the building machine. The
image contains the Debian packages whose names and versions are the lines of IMAGE-PACKAGES.
"""

import datetime
import hashlib
import json
import pathlib
import re
import subprocess
import sys

version, seconds, image_packages, *rest = sys.argv[1:]
files = sorted(map(pathlib.Path, rest[:rest.index("--")]))
programs = rest[rest.index("--") + 1:]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def package(name, version, supplier, license, purpose, **more):
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{name}-{version}"), "name": name,
        "versionInfo": version, "supplier": supplier, "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": license, "licenseDeclared": license, "copyrightText": "NOASSERTION",
        "primaryPackagePurpose": purpose, **more,
    }


def debian_package(name, number):
    return package(
        name, number, "Organization: Debian", "NOASSERTION", "LIBRARY",
        externalRefs=[{
            "referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
            "referenceLocator": f"pkg:deb/debian/{name}@{number.replace('+', '%2B').replace(':', '%3A')}",
        }])


def libraries(program):
    """The packages of the libraries that a program names."""
    places = dict(re.findall(r"(\S+) => (/\S+)", output("ldd", program)))
    named = re.findall(r"\(NEEDED\).*\[(.+)\]", output("readelf", "--dynamic", program))
    found = set()
    for library in {places[name] for name in named if name in places}:
        # dpkg knows files by their path before or after /usr was merged.
        for path in (library, str(pathlib.Path(library).resolve()), library.removeprefix("/usr")):
            query = subprocess.run(["dpkg-query", "--search", path], capture_output=True, text=True)
            if query.returncode == 0:
                name = query.stdout.split(":")[0]
                version = output("dpkg-query", "--show", "--showformat", "${Version}\n", name).split("\n")[0]
                found.add((name, version))
                break
        else:
            sys.exit(f"bill-of-materials: error: no package has {library}")
    return found


swift = re.search(r"Swift version (\S+)", output("swift", "--version")).group(1)
runtime = package("swift-runtime", swift, "Organization: Swift.org", "Apache-2.0 WITH Swift-exception", "LIBRARY")
needs = {pathlib.Path(program).name: libraries(program) for program in programs}
contained = {tuple(line.split()) for line in pathlib.Path(image_packages).read_text().splitlines()}
others = {pair: debian_package(*pair) for pair in sorted(set().union(contained, *needs.values()))}
ours, relationships = [], []


def relate(element, kind, related):
    relationships.append(
        {"spdxElementId": element, "relationshipType": kind, "relatedSpdxElement": related["SPDXID"]})


for file in files:
    is_source, is_image = file.name.endswith("-source.tar.gz"), file.name.endswith(".oci.tar")
    purpose = "SOURCE" if is_source else "CONTAINER" if is_image else "INSTALL" if file.suffix == ".deb" else "ARCHIVE"
    made = package(
        file.name, version, "NOASSERTION", "Apache-2.0", purpose, packageFileName=file.name,
        checksums=[{"algorithm": "SHA256", "checksumValue": sha256(file)}])
    ours.append(made)
    relate("SPDXRef-DOCUMENT", "DESCRIBES", made)
    if is_source:
        continue
    relate(made["SPDXID"], "STATIC_LINK", runtime)
    for pair in sorted(contained) if is_image else []:
        relate(made["SPDXID"], "CONTAINS", others[pair])
    inside = needs.get(file.name.split("_")[0])
    for pair in sorted(set() if is_image else inside or set().union(*needs.values())):
        relate(made["SPDXID"], "DYNAMIC_LINK", others[pair])

name = f"passkey-{version}"
everything = hashlib.sha256("".join(map(sha256, files)).encode()).hexdigest()
print(json.dumps({
    "spdxVersion": "SPDX-2.3",
    "dataLicense": "CC0-1.0",
    "SPDXID": "SPDXRef-DOCUMENT",
    "name": name,
    "documentNamespace": f"https://spdx.org/spdxdocs/{name}-{everything}",
    "creationInfo": {
        "created": datetime.datetime.fromtimestamp(int(seconds), datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "creators": ["Tool: passkey-bill-of-materials"],
    },
    "packages": [*ours, runtime, *others.values()],
    "relationships": relationships,
}, indent=2))
