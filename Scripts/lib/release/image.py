#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes an image of passkey-server as a tar file with an OCI layout, which `docker load` reads too.

    image.py VERSION COMMIT SECONDS FILE LAYER...

SECONDS is the time of every file. Each LAYER is a folder. The same folders give the same bytes.
"""

import datetime
import gzip
import hashlib
import io
import json
import pathlib
import sys
import tarfile

version, commit, seconds, target, *layers = sys.argv[1:]
seconds = int(seconds)
architecture = {"x86_64": "amd64", "aarch64": "arm64"}[pathlib.Path(target).name.split(".")[-3].rpartition("-")[2]]
created = datetime.datetime.fromtimestamp(seconds, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
STATE = "var/lib/passkey-server"
USER = 65532


def entry(name, kind=tarfile.REGTYPE, mode=0o644, size=0):
    info = tarfile.TarInfo(name)
    info.type, info.mode, info.size, info.mtime = kind, mode, size, seconds
    return info


def layer(folder):
    """The tar file of a folder. Everything belongs to root, except the folder of the state."""
    output = io.BytesIO()
    with tarfile.open(fileobj=output, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in sorted(pathlib.Path(folder).rglob("*")):
            name = str(path.relative_to(folder))
            if path.is_symlink():
                info = entry(name, tarfile.SYMTYPE, 0o777)
                info.linkname = str(path.readlink())
                archive.addfile(info)
            elif path.is_dir():
                info = entry(name, tarfile.DIRTYPE, {"tmp": 0o1777, STATE: 0o700}.get(name, 0o755))
                if name == STATE:
                    info.uid = info.gid = USER
                archive.addfile(info)
            else:
                content = path.read_bytes()
                mode = 0o755 if path.stat().st_mode & 0o100 else 0o644
                archive.addfile(entry(name, mode=mode, size=len(content)), io.BytesIO(content))
    return output.getvalue()


blobs = {}


def add(content, media_type):
    """Adds a blob, and returns its descriptor."""
    digest = hashlib.sha256(content).hexdigest()
    blobs[f"blobs/sha256/{digest}"] = content
    return {"mediaType": media_type, "digest": f"sha256:{digest}", "size": len(content)}


def text(value):
    return json.dumps(value, indent=1, sort_keys=True).encode()


labels = {
    "org.opencontainers.image.title": "passkey-server",
    "org.opencontainers.image.description": "Sign-in server for passkeys",
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.revision": commit,
    "org.opencontainers.image.created": created,
    "org.opencontainers.image.licenses": "Apache-2.0",
    "org.opencontainers.image.base.name": "debian:12",
}
plain = [layer(folder) for folder in layers]
descriptors = [
    add(gzip.compress(content, 9, mtime=0), "application/vnd.oci.image.layer.v1.tar+gzip") for content in plain]
configuration = add(text({
    "architecture": architecture,
    "os": "linux",
    "created": created,
    "config": {
        "User": f"{USER}:{USER}",
        "Entrypoint": ["/usr/bin/passkey-server"],
        "Cmd": ["serve"],
        "Env": [
            "PATH=/usr/bin",
            "PASSKEY_LISTEN=0.0.0.0:8080",
            f"PASSKEY_DATABASE=/{STATE}/passkey.sqlite",
            f"PASSKEY_SECRET=/{STATE}/passkey.secret",
            # After a crash, Swift would write registers and memory to the log, and with them keys.
            "SWIFT_BACKTRACE=enable=no",
        ],
        "WorkingDir": f"/{STATE}",
        "Volumes": {f"/{STATE}": {}},
        "ExposedPorts": {"8080/tcp": {}},
        "StopSignal": "SIGTERM",
        "Labels": labels,
        # Docker's. OCI has no such member, and podman takes --health-cmd.
        "Healthcheck": {
            "Test": ["CMD", "/usr/bin/passkey-server", "ready"],
            "Interval": 30_000_000_000, "Timeout": 10_000_000_000, "StartPeriod": 10_000_000_000, "Retries": 3,
        },
    },
    "rootfs": {"type": "layers", "diff_ids": [f"sha256:{hashlib.sha256(content).hexdigest()}" for content in plain]},
    "history": [
        {"created": created, "created_by": "libraries of Debian 12"},
        {"created": created, "created_by": f"passkey-server {version}"},
    ],
}), "application/vnd.oci.image.config.v1+json")
manifest = add(text({
    "schemaVersion": 2,
    "mediaType": "application/vnd.oci.image.manifest.v1+json",
    "config": configuration,
    "layers": descriptors,
    "annotations": labels,
}), "application/vnd.oci.image.manifest.v1+json")
index = text({
    "schemaVersion": 2,
    "mediaType": "application/vnd.oci.image.index.v1+json",
    "manifests": [{
        **manifest,
        "platform": {"architecture": architecture, "os": "linux"},
        # podman takes it for the name.
        "annotations": {"org.opencontainers.image.ref.name": f"passkey-server:{version}"},
    }],
})


def place(descriptor):
    return "blobs/" + descriptor["digest"].replace(":", "/")


files = {
    "oci-layout": text({"imageLayoutVersion": "1.0.0"}),
    "index.json": index,
    # For versions of Docker before 25.
    "manifest.json": text([{
        "Config": place(configuration),
        "RepoTags": [f"passkey-server:{version}"],
        "Layers": [place(descriptor) for descriptor in descriptors],
    }]),
    **blobs,
}
with tarfile.open(target, mode="w", format=tarfile.USTAR_FORMAT) as archive:
    for folder in ["blobs", "blobs/sha256"]:
        archive.addfile(entry(folder, tarfile.DIRTYPE, 0o755))
    for name in sorted(files):
        archive.addfile(entry(name, size=len(files[name])), io.BytesIO(files[name]))
