// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// An inspected artifact: its kind, the form in which it was written, and the tree of its parts.
///
/// ```swift
/// let inspection = try Inspection(of: bytes)
/// print(inspection.text())
/// ```
package struct Inspection: Sendable {
  /// The kind of the artifact, as recognized or as the caller named it.
  package let kind: ArtifactKind

  /// The form in which the artifact was written.
  package let form: Form

  /// The wrappers around the artifact, such as `a curl command`, the outermost first.
  package let wrappers: [String]

  /// The artifact's bytes, decoded. Offsets in the tree count from their beginning.
  package let bytes: [UInt8]

  /// The tree of the artifact's parts. Each problem is attached to the part in which it occurs.
  package let tree: InspectionNode

  // 256 KiB  [several times the largest artifact in any form; each byte can become a line of the tree with a problem,
  //          and the tree of 256 KiB takes 400 MB]
  /// The size of the largest artifact.
  package static let maximumByteCount = 1 << 18

  // 32 MiB  [a browser's record of an hour, with pictures and scripts; it takes 300 MB]
  /// The size of the largest HAR file.
  package static let maximumArchiveByteCount = 1 << 25

  /// A form in which an artifact can be written. The raw values appear in the JSON rendering.
  package enum Form: String, Sendable {
    /// The bytes themselves.
    case raw
    /// Text that is itself the artifact, such as JSON.
    case text
    /// Hexadecimal digits.
    case hex
    /// The encoding base64url.
    case base64url
    /// The encoding base64.
    case base64
    /// PEM (RFC 7468).
    case pem
  }

  /// Inspects an artifact: finds its form and, unless the caller names it, its kind.
  ///
  /// A reading that a strict parser accepts takes precedence over one that is only likely. Hex digits, for instance, are
  /// often valid base64url too.
  ///
  /// - Parameters:
  ///   - input: The artifact as bytes or as text.
  ///   - kind: The kind of the artifact; nil to recognize it.
  /// - Throws: ``InspectionError`` where the input has no known form or kind.
  package init(of input: [UInt8], as kind: ArtifactKind? = nil) throws(InspectionError) {
    guard input.count <= Self.maximumByteCount else {
      try self.init(archive: input, as: kind)
      return
    }
    let readings = try Self.readings(of: input)
    func first(_ judge: ([UInt8]) -> ArtifactKind?) -> (reading: InputReading, kind: ArtifactKind)? {
      for reading in readings {
        // Undecoded text is not binary, whatever its first letters would mean.
        if let kind = judge(reading.bytes), reading.form != .text || kind.isText { return (reading, kind) }
      }
      return nil
    }
    var found: (reading: InputReading, kind: ArtifactKind)?
    var list: [EmbeddedArtifact] = []
    if let kind {
      // Undecoded text is a candidate only for kinds that are text themselves, or if nothing decodes.
      let isAllText = readings.allSatisfy { $0.form == .text }
      // Hexadecimal digits are not base64, even where the bytes that they spell are malformed.
      let isHex = readings.contains { $0.form == .hex }
      let candidates = readings.filter { (reading) in
        switch reading.form {
        case .text: kind.isText || isAllText
        case .base64, .base64url: !isHex
        case .raw, .hex, .pem: true
        }
      }
      let flawless = candidates.first { Inspector().inspect($0.bytes, as: kind).isFlawless }
      found = (flawless ?? candidates.first).map { ($0, kind) }
    } else {
      list = Self.search(readings, isLenient: false, first(ArtifactKind.recognized))
      found = list.isEmpty ? first(ArtifactKind.recognized) : nil
      // A UUID that begins with 0 would be likely DER.
      if found == nil, list.isEmpty, !readings.contains(where: \.isUUID) {
        list = Self.search(readings, isLenient: true, nil)
        found = list.isEmpty ? first(ArtifactKind.likely) : nil
      }
      if list.count == 1 { found = (list[0].wrappedReading, list[0].kind) }
    }
    if list.count > 1, let text = readings.last {
      self.init(list, in: text)
      return
    }
    guard let found else {
      throw .unrecognized(
        byteCount: input.count, resemblance: InspectionError.Resemblance(of: input, readings: readings))
    }
    let bytes = found.reading.bytes
    var tree = Inspector().inspect(bytes, as: found.kind)
    let ignored = found.reading.ignoredCharacterCount
    if ignored > 0 {
      let characters = ignored == 1 ? "character does" : "\(ignored) characters do"
      tree.remarks.insert("the text was cut: its last \(characters) not decode", at: 0)
    }
    if let problem = found.reading.problem { tree.problems.insert(problem, at: 0) }
    let followers = found.reading.followers
    if followers > 0 { tree.remarks.insert("\(followers) more PEM blocks follow, not shown", at: 0) }
    self.init(
      kind: found.kind, form: found.reading.form, wrappers: found.reading.wrappers, bytes: bytes, tree: tree)
  }

  private init(kind: ArtifactKind, form: Form, wrappers: [String], bytes: [UInt8], tree: InspectionNode) {
    self.kind = kind
    self.form = form
    self.wrappers = wrappers
    self.bytes = bytes
    self.tree = tree
  }

  /// Inspects the artifacts in the requests and responses of a HAR file that is too large to be an artifact itself.
  private init(archive input: [UInt8], as kind: ArtifactKind?) throws(InspectionError) {
    let text = JSON.withoutByteOrderMark(input)
    guard let archive = try? JSON.parse(text, maximumSize: Self.maximumArchiveByteCount),
      let entries = try? archive["log"]?["entries"]
    else { throw .tooLarge }
    var search = ArtifactSearch(isLenient: false)
    search.search(entries, at: ArtifactSearch.Place())
    let found = search.found.filter { kind == nil || $0.kind == kind }
    guard let first = found.first else { throw .unrecognized(byteCount: input.count, resemblance: nil) }
    guard found.count == 1, !search.isCut else {
      self.init(found, in: InputReading(form: .text, bytes: [UInt8](text)), isCut: search.isCut)
      return
    }
    let reading = first.wrappedReading
    self.init(
      kind: first.kind, form: reading.form, wrappers: reading.wrappers, bytes: reading.bytes,
      tree: Inspector().inspect(reading.bytes, as: first.kind))
  }

  /// Inspects several artifacts in one text: a list of their trees.
  private init(_ list: [EmbeddedArtifact], in text: InputReading, isCut: Bool = false) {
    var tree = InspectionNode("\(list.count) artifacts")
    tree.remarks = ["the text around the artifacts is not shown; --as json shows JSON completely"]
    if isCut { tree.remarks.append("artifacts after these are not shown") }
    tree.children = list.enumerated().map { $0.element.node($0.offset) }
    self.init(kind: .json, form: text.form, wrappers: [], bytes: text.bytes, tree: tree)
  }

  /// Renders an artifact that is CBOR in diagnostic notation (RFC 8949 §8).
  ///
  /// - Returns: The notation, one item per line; nil where the artifact is not CBOR.
  /// - Throws: `WireError` where the CBOR is malformed.
  package func diagnosticNotation() throws(WireError) -> String? {
    guard let offset = kind.cborOffset else { return nil }
    let value = try CBORValue(parsing: bytes.dropFirst(offset), rules: .general)
    return CBORDiagnostic.text(of: value, layout: .indented) + "\n"
  }

  private static func readings(of input: [UInt8]) throws(InspectionError) -> [InputReading] {
    try mapError(InputReading.readings(of: input), InspectionError.malformedPEM)
  }
}

/// The reason why an input cannot be inspected.
package enum InspectionError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text has a PEM boundary, but no complete PEM block.
  case malformedPEM(WireError)

  /// The input is larger than an artifact, and no HAR file.
  case tooLarge

  /// The input has no known form or kind.
  case unrecognized(byteCount: Int, resemblance: Resemblance?)

  /// Input that is not a WebAuthn artifact, but known otherwise.
  package enum Resemblance: Equatable, Sendable {
    /// A vault of this project's software authenticator.
    case vault
    /// A JSON Web Token, such as the FIDO Metadata Service publishes.
    case token
    /// A UUID, such as an AAGUID in its text form.
    case uuid
    /// Encoded bytes of a length that opaque values of WebAuthn have.
    case opaqueBytes(count: Int, form: Inspection.Form)

    init?(of input: [UInt8], readings: [InputReading]) {
      let texts = [input] + readings.filter { $0.form == .text }.map(\.bytes)
      // 4 to 1023 bytes  [shorter text is rarely an encoding; a credential ID has at most 1023 bytes]
      let opaque = readings.first { (reading) in
        reading.form != .raw && reading.form != .text && (4...1023).contains(reading.bytes.count)
      }
      if input.starts(with: Array("PASSKEYV".utf8)) {
        self = .vault
      } else if texts.contains(where: Self.isToken) {
        self = .token
      } else if readings.contains(where: \.isUUID) {
        self = .uuid
      } else if let opaque {
        self = .opaqueBytes(count: opaque.bytes.count, form: opaque.form)
      } else {
        return nil
      }
    }

    /// Whether the text may be a token: `eyJ` is `{"` in base64url, with which its header begins, and it has two dots.
    private static func isToken(_ text: [UInt8]) -> Bool {
      text.starts(with: Array("eyJ".utf8)) && text.count(where: { $0 == UInt8(ascii: ".") }) == 2
    }
  }

  /// The reason on one line.
  package var description: String {
    switch self {
    case .malformedPEM(let error): "\(error)"
    case .tooLarge: "larger than \(Inspection.maximumByteCount >> 10) KiB, and no HAR file"
    case .unrecognized(let count, _): "not a WebAuthn artifact: \(WebAuthnInspection.byteCount(count)) in no known form"
    }
  }
}
