// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
package import PasskeyFormats
package import WebAuthnAttestation
internal import WebAuthnTypes

/// Formats FIDO metadata as text, safe to show on a terminal, and as JSON.
package struct MetadataReport {
  /// The time at which statuses are evaluated.
  private let time: UnixTime

  /// Creates a report that evaluates statuses at `time`.
  package init(at time: UnixTime) {
    self.time = time
  }

  /// Formats a summary of the issue, one line per fact.
  package func summary(of blob: MetadataBlob, _ rogueLists: [RogueListMatch]) -> String {
    var lines = [
      "metadata \(blob.number), next update by \(day(blob.nextUpdate))",
      "  signed by \(blob.signerPath.leaf.subject)".escapedForTerminal,
      "  anchored to \(blob.signerPath.anchor.subject)".escapedForTerminal,
      "  entries: \(blob.entries.count)",
    ]
    for refused in blob.refusedEntries {
      lines.append("  entry \(refused.index) cannot be read: \(refused.error)".escapedForTerminal)
    }
    for match in rogueLists {
      let name = match.entry.statement?.description ?? identifier(of: match.entry, isShort: false)
      lines.append("  rogue list: \(match.list.count) keys of \(name)".escapedForTerminal)
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// Returns the cells of one line per model: identifier, status and name. `isShort` truncates long identifiers.
  package func rows(of entries: [MetadataBlob.Entry], isShort: Bool) -> [[String]] {
    entries.map { entry in
      [
        identifier(of: entry, isShort: isShort).escapedForTerminal,
        (entry.statusHistory.current(at: time)?.status.rawValue ?? "-").escapedForTerminal,
        (entry.statement?.description ?? "-").escapedForTerminal,
      ]
    }
  }

  /// Formats the details that matter to a relying party, one line per fact.
  package func details(of entry: MetadataBlob.Entry) -> String {
    var lines = [entry.statement?.description ?? "a model without a statement"]
    if let aaguid = entry.aaguid { lines.append("  aaguid: \(aaguid)") }
    if let aaid = entry.aaid { lines.append("  aaid: \(aaid)") }
    lines += entry.certificateKeyIdentifiers.map { "  key: \(Hex.encode($0))" }
    if let statement = entry.statement {
      if let family = statement.protocolFamily { lines.append("  protocol: \(family)") }
      if let version = statement.authenticatorVersion { lines.append("  firmware: \(version) or later") }
      lines.append("  attestation: \(statement.attestationTypes.map(\.rawValue).joined(separator: ", "))")
      lines += statement.trustStore.anchors.map { "  anchor: \($0.subject), until \(day($0.notAfter))" }
      if statement.unreadableCertificateCount > 0 {
        lines.append("  anchors that cannot be read: \(statement.unreadableCertificateCount)")
      }
    }
    lines += entry.statusHistory.reports.map { "  status: \(words(for: $0))" }
    return lines.map { $0.escapedForTerminal + "\n" }.joined()
  }

  private func words(for report: StatusReport) -> String {
    var text = report.status.rawValue
    if let date = report.effectiveDate { text += " since \(day(date))" }
    let isInEffect = report.effectiveDate.map { $0 <= time } ?? true
    if !isInEffect { text += ", not yet" }
    if let version = report.authenticatorVersion { text += ", firmware \(version)" }
    if let certificate = report.certificate { text += ", certificate \(certificate.subject)" }
    if isInEffect, AttestationPolicy().refusedStatuses.contains(report.status) { text += " (refused by default)" }
    return text
  }

  /// Returns the identifier. `isShort` truncates a key identifier to the length of an AAGUID.
  private func identifier(of entry: MetadataBlob.Entry, isShort: Bool) -> String {
    if let aaguid = entry.aaguid { return "\(aaguid)" }
    if let aaid = entry.aaid { return aaid }
    guard let key = entry.certificateKeyIdentifiers.first.map({ Hex.encode($0) }) else { return "-" }
    return isShort && key.count > 36 ? key.prefix(35) + "…" : key
  }

  private func day(_ time: UnixTime) -> String {
    String("\(time)".prefix { $0 != "T" })
  }
}

// MARK: For programs

extension MetadataReport {
  /// Formats the issue as one line of JSON.
  package func json(of blob: MetadataBlob, _ rogueLists: [RogueListMatch]) -> [UInt8] {
    JSON.writeObject { output in
      output.write("number", .integer(blob.number))
      output.write("nextUpdate", .string(day(blob.nextUpdate)))
      output.write("signer", .string("\(blob.signerPath.leaf.subject)"))
      output.write("anchor", .string("\(blob.signerPath.anchor.subject)"))
      output.write("entries", .integer(blob.entries.count))
      output.write("refusedEntries", .integer(blob.refusedEntries.count))
      guard !rogueLists.isEmpty else { return }
      output.writeArray("rogueLists") { lists in
        for match in rogueLists {
          lists.writeObject { output in
            output.write("model", .string(identifier(of: match.entry, isShort: false)))
            output.write("keys", .integer(match.list.count))
          }
        }
      }
    } + [UInt8(ascii: "\n")]
  }

  /// Formats a model as one line of JSON: its status and the entry as published.
  package func json(of entry: MetadataBlob.Entry) -> [UInt8] {
    JSON.writeObject { output in
      if let status = entry.statusHistory.current(at: time)?.status {
        output.write("status", .string(status.rawValue))
      }
      output.write("entry", .value(entry.json))
    } + [UInt8(ascii: "\n")]
  }
}

/// A list of rogue authenticators and an entry whose hash it matches.
package struct RogueListMatch: Sendable {
  package let list: RogueList
  package let entry: MetadataBlob.Entry
}

extension MetadataBlob {
  /// Parses a list of rogue authenticators and returns it with each entry whose hash it matches.
  ///
  /// - Throws: The error of the last entry if no entry matches.
  package func rogueListMatches(json: [UInt8]) throws(AttestationError) -> [RogueListMatch] {
    var matches: [RogueListMatch] = []
    var failure = AttestationError(.rogueListMismatch, "no entry has a rogueListHash")
    for entry in entries where entry.rogueListHash != nil {
      do throws(AttestationError) {
        matches.append(RogueListMatch(list: try rogueList(json: json, of: entry), entry: entry))
      } catch {
        failure = error
      }
    }
    guard !matches.isEmpty else { throw failure }
    return matches
  }
}

extension MetadataReport {
  /// Returns a built-in root as one line of JSON.
  package func json(of root: PublishedRoot) -> [UInt8] {
    let certificate = root.certificate
    return JSON.writeObject { output in
      output.write("group", .string(root.group.rawValue))
      output.write("owner", .string(root.owner))
      output.write("format", .string(root.group.format.rawValue))
      output.write("subject", .string("\(certificate.subject)"))
      output.write("notBefore", .string("\(certificate.notBefore)"))
      output.write("notAfter", .string("\(certificate.notAfter)"))
      output.write("expired", .bool(certificate.notAfter < time))
      output.write("sha256", .string(Hex.encode(certificate.sha256Fingerprint)))
      output.write("source", .string(root.group.source))
    } + [UInt8(ascii: "\n")]
  }
}
