// SPDX-License-Identifier: Apache-2.0

public import CTAPTypes
package import PasskeyCOSE
internal import PasskeyCrypto
public import PasskeyFormats
public import WebAuthnTypes

/// An export in the Credential Exchange Format.
public struct CredentialExchangeExport: Sendable {
  /// The file: JSON with private keys, not encrypted. Anyone who reads it can use the passkeys.
  public let text: [UInt8]

  /// The exported passkeys.
  public let exported: [CredentialID]

  /// The passkeys that were left out.
  package let excluded: [ExcludedPasskey]

  /// Properties of exported passkeys that the format cannot express.
  package let leftOutMembers: NameTally

  /// The exported passkeys whose algorithm only our extension of the format names. Other importers may sign with another
  /// one.
  package let unusualAlgorithms: [(id: CredentialID, algorithm: COSEAlgorithm)]
}

/// The result of an import in the Credential Exchange Format.
public struct CredentialExchangeImport: Sendable {
  /// The imported passkeys.
  public internal(set) var imported: [CredentialID] = []

  /// The passkeys that were left out.
  package internal(set) var excluded: [ExcludedPasskey] = []
}

extension VaultOwner {
  /// Exports passkeys in FIDO's Credential Exchange Format 1.0, with the state of their extensions.
  ///
  /// A passkey whose signature counter is not zero is always left out, as the format requires. A device-bound passkey is
  /// exported only if `includesDeviceBound` is true: relying parties that know it as device-bound may refuse its copy.
  ///
  /// - Parameters:
  ///   - ids: The passkeys to export; nil for all.
  ///   - includesDeviceBound: Whether to export device-bound passkeys.
  ///   - time: The time of the export.
  /// - Returns: The file, and the exported and excluded passkeys.
  /// - Throws: `NO_CREDENTIALS` for an unknown passkey, `OTHER` if the vault cannot be read.
  public func exportCredentialExchange(
    _ ids: [CredentialID]? = nil, includingDeviceBound includesDeviceBound: Bool = false, at time: UnixTime
  ) throws(CTAPError) -> CredentialExchangeExport {
    let state = try vault.read()
    let wanted = ids.map { (ids) in Set(ids) }
    let passkeys = state.passkeys.filter { (passkey) in wanted?.contains(passkey.id) ?? true }
    guard passkeys.count >= wanted?.count ?? 0 else { throw CTAPError(.noCredentials) }
    let largeBlobs = LargeBlobEntries(state.largeBlobArray)
    var exported: [ExchangedPasskey] = []
    var excluded: [ExcludedPasskey] = []
    var leftOut = NameTally()
    var unusual: [(CredentialID, COSEAlgorithm)] = []
    for passkey in passkeys {
      do throws(ExchangeRefusal) {
        exported.append(
          try .exporting(passkey, largeBlobs: largeBlobs, includingDeviceBound: includesDeviceBound))
        if passkey.protection != .userVerificationOptional { leftOut.add("credProtect") }
        if !PrivateKeyInfo.determines(passkey.algorithm, passkey.privateKey) {
          unusual.append((passkey.id, passkey.algorithm))
        }
      } catch {
        excluded.append(ExcludedPasskey(passkey, error.reason, error.detail))
      }
    }
    let accountID = try mapError(random.bytes(16), CTAPError.init(other:))
    return CredentialExchangeExport(
      text: CredentialExchangeFile.write(exported, accountID: accountID, at: time), exported: exported.map(\.id),
      excluded: excluded, leftOutMembers: leftOut, unusualAlgorithms: unusual)
  }

  /// Imports the passkeys of all accounts of a file, in one change of the vault. Each keeps its id, key and extensions;
  /// its counter stays at zero. An import never replaces a passkey: those that the vault already has are left out.
  ///
  /// - Returns: The imported passkeys, and those that the file's parser or the vault left out.
  /// - Throws: `OTHER` if the vault cannot be read or written.
  public func add(
    _ file: CredentialExchangeFile, at time: UnixTime
  ) throws(CTAPError) -> CredentialExchangeImport {
    try vault.update { [random] (state) throws(CTAPError) in
      var result = CredentialExchangeImport()
      for account in file.accounts {
        result.excluded += account.excludedPasskeys
        for passkey in account.passkeys {
          let refusal = try state.add(passkey, at: time, random: random)
          if let refusal {
            result.excluded.append(ExcludedPasskey(passkey, refusal.reason, refusal.detail))
          } else {
            result.imported.append(passkey.id)
          }
        }
      }
      return result
    }
  }
}

extension ExchangedPasskey {
  /// The identifier of the item with the passkey in our files. It is the same in each export.
  var itemID: [UInt8] { [UInt8](Digest.sha256(id.bytes).prefix(16)) }
}

extension DeviceState {
  /// Adds an imported passkey with its large blob, or returns the reason why the vault cannot store it.
  fileprivate mutating func add(
    _ passkey: ExchangedPasskey, at time: UnixTime, random: RandomSource
  ) throws(CTAPError) -> ExchangeRefusal? {
    if let refusal = refusal(of: passkey) { return refusal }
    let key = try mapError(random.secret(SealedBox.keyByteCount), CTAPError.init(other:))
    if let blob = passkey.largeBlob {
      let array = try LargeBlobEntries(largeBlobArray).adding(blob, key, random: random)
      guard array.count <= DeviceLimits.maximumLargeBlobArrayByteCount else {
        return ExchangeRefusal(.vaultFull, "the vault has no room for its large blob")
      }
      largeBlobArray = array
    }
    try add(passkey.stored(sequence: nextSequence, largeBlobKey: key, at: time, random: random))
    return nil
  }

  /// Returns the reason why the vault cannot store a passkey without replacing another one.
  private func refusal(of passkey: ExchangedPasskey) -> ExchangeRefusal? {
    guard passkey.id.bytes.count <= DeviceLimits.maximumCredentialIDByteCount else {
      return ExchangeRefusal(.malformed, "its id is longer than \(DeviceLimits.maximumCredentialIDByteCount) bytes")
    }
    guard remainingCredentialCount > 0 else {
      return ExchangeRefusal(.vaultFull, "the vault has \(DeviceLimits.maximumCredentials) passkeys")
    }
    for other in passkeys {
      if other.id == passkey.id { return ExchangeRefusal(.exists, "the vault has a passkey with this id") }
      if other.isDiscoverable, other.user?.id == passkey.user.id,
        other.relyingPartyID == passkey.relyingPartyID.text
      {
        return ExchangeRefusal(.userHasPasskey, "the user already has a passkey for this relying party")
      }
    }
    return nil
  }
}
