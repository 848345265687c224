// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCommandLine
internal import PasskeyFormats
internal import WebAuthnAttestation
internal import WebAuthnInspection

// The files that list revoked certificates and authenticators.

extension RevocationLists {
  /// The files of revoked certificates.
  static let crl = Option<[String]>(
    "--crl", "FILE",
    help: "refuse the certificates on this X.509 revocation list (PEM or DER)")
  /// The copies of the list of revoked Android keys.
  static let statusList = Option<[String]>(
    "--status-list", "FILE",
    help: "refuse the certificates on this copy of https://android.googleapis.com/attestation/status")
  /// The files of revoked keys.
  static let rogueList = Option<[String]>(
    "--rogue-list", "FILE",
    help: "refuse the keys on this list, to which a rogueListURL of FIDO metadata points")

  static let options: [any OptionSpecification] = [crl, statusList, rogueList]

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    self.init()
    for path in arguments[Self.crl] { revocationLists.append(try CertificateFile.revocationList(in: path)) }
    statusLists = try Self.lists(arguments[Self.statusList], AttestationStatusList.maximumByteCount) {
      (text) throws(AttestationError) in try AttestationStatusList(json: text)
    }
    rogueLists = try Self.lists(arguments[Self.rogueList], RogueList.maximumByteCount) {
      (text) throws(AttestationError) in try RogueList(json: text)
    }
  }

  private static func lists<List>(
    _ paths: [String], _ limit: Int, _ read: ([UInt8]) throws(AttestationError) -> List
  ) throws(CommandFailure) -> [List] {
    var lists: [List] = []
    for path in paths {
      let text = try InputFile.bytes(path, limit: limit)
      do throws(AttestationError) {
        lists.append(try read(text))
      } catch {
        let name = InputFile.name(path)
        throw .verificationFailed("\(name): \(error.description.escapedForTerminal)")
      }
    }
    return lists
  }
}
