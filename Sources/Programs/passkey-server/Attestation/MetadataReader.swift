// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import PasskeyCommandLine
internal import PasskeyFormats
internal import PasskeySystem
internal import WebAuthnAttestation

/// Reads, fetches and verifies metadata. A BLOB with a lower number than the one in use is refused.
///
/// A BLOB whose next update is overdue is used: newer status reports are missing, but without it all are.
struct MetadataReader: Sendable {
  let location: MetadataLocation
  let signer: MetadataSigner

  /// Fetches a URL. The error is a reason for people.
  let fetch: @Sendable (String) async -> Result<[UInt8], FetchFailure>

  struct FetchFailure: Error {
    let reason: String
  }

  /// Reads the file, or the cached BLOB of a URL; nil if nothing was cached yet.
  func stored(lastNumber: UInt64, at now: UnixTime) throws(CommandFailure) -> MetadataBlob? {
    switch location {
    case .file(let path):
      return try verify(InputFile.bytes(path, limit: MetadataBlob.maximumByteCount), from: path, lastNumber, at: now)
    case .url(_, let cache):
      guard (try? FileStatus(ofFileAt: cache)) != nil else { return nil }
      let token = try InputFile.ofProgram(cache, limit: MetadataBlob.maximumByteCount).bytes
      return try verify(token, from: cache, lastNumber, at: now)
    }
  }

  /// Fetches the current BLOB, verifies it and writes it to the cache.
  func fetched(
    from url: String, cache: String, lastNumber: UInt64, at now: UnixTime
  ) async throws(CommandFailure)
    -> MetadataBlob
  {
    let token: [UInt8]
    switch await fetch(url) {
    case .success(let bytes): token = bytes
    case .failure(let failure):
      throw .inputOutput("cannot fetch the metadata from \(url.escapedForTerminal): \(failure.reason)")
    }
    let blob = try verify(token, from: url, lastNumber, at: now)
    do throws(SystemError) {
      try FileReplacement.replace(cache, with: token, draft: "\(cache).\(getpid()).new", durability: .atomic)
    } catch {
      throw .inputOutput("cannot write \(cache.quotedForTerminal): \(error.message.lowercased())")
    }
    return blob
  }

  private func verify(
    _ token: [UInt8], from place: String, _ lastNumber: UInt64, at now: UnixTime
  ) throws(CommandFailure) -> MetadataBlob {
    // Text files often end with a line break, which a token must not contain.
    let isSpace: (UInt8) -> Bool = { [0x20, 0x09, 0x0a, 0x0d].contains($0) }
    let trimmed = token.prefix(token.count - token.reversed().prefix(while: isSpace).count)
    do throws(AttestationError) {
      return try MetadataBlob(
        verifying: [UInt8](trimmed), signedBy: signer, at: now, lastNumber: lastNumber, expiry: .used)
    } catch {
      throw .inputOutput(
        "\(place.quotedForTerminal) has no usable metadata: \(error.description.escapedForTerminal)",
        hint: Self.hint(error.code))
    }
  }

  private static func hint(_ code: AttestationError.Code) -> String? {
    switch code {
    case .metadataHostName, .metadataUntrustedSigner:
      "download the current metadata, or name their signer with \(Setting.metadataRoot.option)"
    case .metadataMalformedToken: "download the BLOB from https://mds3.fidoalliance.org/"
    case .metadataNumberGoneBack: "the metadata in use are newer"
    default: nil
    }
  }
}
