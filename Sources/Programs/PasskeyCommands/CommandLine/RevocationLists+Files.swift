// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnInspection

// The files that list revoked certificates and authenticators.

extension RevocationLists {
  static let options = [
    OptionSpecification(
      name: "--crl", value: .init(name: "FILE"), isRepeatable: true,
      help: "refuse the certificates on this X.509 revocation list (PEM or DER)"),
    OptionSpecification(
      name: "--status-list", value: .init(name: "FILE"), isRepeatable: true,
      help: "refuse the certificates on this copy of https://android.googleapis.com/attestation/status"),
    OptionSpecification(
      name: "--rogue-list", value: .init(name: "FILE"), isRepeatable: true,
      help: "refuse the keys on this list, to which a rogueListURL of FIDO metadata points"),
  ]

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    self.init()
    for path in arguments.all("--crl") { revocationLists.append(try CertificateFile.revocationList(in: path)) }
    statusLists = try Self.lists(arguments.all("--status-list"), AttestationStatusList.maximumByteCount) {
      (text) throws(AttestationError) in try AttestationStatusList(json: [UInt8](text))
    }
    rogueLists = try Self.lists(arguments.all("--rogue-list"), RogueList.maximumByteCount) {
      (text) throws(AttestationError) in try RogueList(json: [UInt8](text))
    }
  }

  private static func lists<List>(
    _ paths: [String], _ limit: Int, _ read: (Bytes) throws(AttestationError) -> List
  ) throws(CommandFailure) -> [List] {
    var lists: [List] = []
    for path in paths {
      let text = try InputFile.bytes(path, limit: limit)
      do throws(AttestationError) {
        lists.append(try read(text[...]))
      } catch {
        let name = InputFile.name(path)
        throw .verificationFailed("\(name): \(error.description.escapedForTerminal)")
      }
    }
    return lists
  }
}
