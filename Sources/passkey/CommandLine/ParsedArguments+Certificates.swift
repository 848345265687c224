// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import SystemCrypto

extension ParsedArguments {
  /// Certificates, from the files of an option that may be repeated; nil where it was not given.
  func certificates(_ name: String) throws(CommandFailure) -> [Certificate]? {
    guard has(name) else { return nil }
    var certificates: [Certificate] = []
    for path in all(name) { certificates += try CertificateFile.certificates(in: path) }
    return certificates
  }
}
