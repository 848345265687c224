// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCOSE
internal import PasskeyFormats

/// An artifact found inside other text, such as a console's output, a curl command or the entries of a HAR file.
struct EmbeddedArtifact {
  let kind: ArtifactKind
  let reading: InputReading

  /// The wrappers around the artifact, the outermost first.
  var wrappers: [String]

  /// The member or the request in which the artifact was found; empty for the whole text.
  var path: String
}

/// Searches text for artifacts.
///
/// Limits, with their reasons:
/// - 4 levels of wrappers [a response in a JSON log line of a curl command has 3];
/// - 256 artifacts [a session's HAR file has tens];
/// - 64 values and 256 words in a text [each is parsed; a log has no more per line].
struct ArtifactSearch {
  /// Whether artifacts of no known structure, or malformed ones, count too.
  let isLenient: Bool

  private(set) var found: [EmbeddedArtifact] = []

  /// Whether an artifact was left out because of a limit.
  private(set) var isCut = false

  /// The size of the artifacts together. Their trees take up to 1,600 times as much.
  private var byteCount = 0

  static let maximumLevel = 4
  private static let maximumCount = 256
  private static let maximumStartCount = 64
  private static let maximumWordCount = 256
  private static let minimumWordLength = 32
  private static let minimumStringLength = 16

  init(isLenient: Bool) {
    self.isLenient = isLenient
  }

  /// Where the search is: the wrappers so far, and the path in the innermost one.
  struct Place {
    var wrappers: [String] = []
    var path = ""

    func inside(_ wrapper: String?) -> Self {
      Self(wrappers: wrappers + (wrapper.map { [$0] } ?? []), path: path)
    }

    func member(_ name: String) -> Self {
      Self(wrappers: wrappers, path: path + (path.isEmpty || name.hasPrefix("[") ? "" : ".") + name)
    }
  }

  /// Searches text with every unwrapper, one after another, until one finds artifacts.
  mutating func unwrap(_ input: [UInt8], at place: Place) {
    guard place.wrappers.count < Self.maximumLevel else { return }
    for unwrapper in Unwrapper.all where !isLenient || unwrapper.isWhole {
      let before = found.count
      for content in unwrapper.unwrap(input[...]) { search(content, at: place.inside(content.name ?? unwrapper.name)) }
      if found.count > before { return }
    }
  }

  private mutating func search(_ content: Unwrapper.Content, at place: Place) {
    switch content.value {
    case .bytes(let bytes): searchBytes(bytes, at: place)
    case .draft(.bytes(let bytes)): searchBytes(bytes, at: place)
    case .draft(let draft):
      let text = draft.text
      guard let value = try? JSON.parse(text, maximumSize: Inspection.maximumByteCount) else { return }
      let before = found.count
      search(value, at: place)
      if isLenient, found.count == before {
        add(.json, InputReading(form: .text, bytes: text), at: place)
      }
    }
  }

  /// Searches decoded content: an artifact itself, JSON with artifacts, or text in another wrapper.
  private mutating func searchBytes(_ bytes: [UInt8], at place: Place) {
    guard let readings = try? InputReading.readings(of: bytes) else { return }
    for reading in readings {
      if let kind = judge(reading.bytes), reading.form != .text || kind.isText {
        return add(kind, reading, at: place)
      }
    }
    let before = found.count
    for reading in readings where reading.form == .text {
      if let value = try? JSON.parse(reading.bytes, maximumSize: Inspection.maximumByteCount) {
        search(value, at: place)
        if found.count > before { return }
      }
    }
    unwrap(bytes, at: place)
  }

  private func judge(_ bytes: [UInt8]) -> ArtifactKind? {
    guard isLenient else { return ArtifactKind.recognized(in: bytes).flatMap { $0.isSpecific ? $0 : nil } }
    return ArtifactKind.recognized(in: bytes) ?? ArtifactKind.likely(in: bytes)
  }

  /// Searches the members of a JSON value.
  mutating func search(_ value: JSONValue, at place: Place) {
    guard found.count < Self.maximumCount, !isCut else {
      isCut = true
      return
    }
    if let members = try? value.members {
      if let type = try? value["mimeType"]?.string, Self.isMedia(type) { return }
      if let kind = ArtifactKind.embedded(in: value) {
        return add(kind, InputReading(form: .text, bytes: [UInt8](value.encoded)), at: place)
      }
      if let key = COSEKey(jwk: value) {
        return add(.coseKey, InputReading(form: .raw, bytes: key.encoded), at: place.inside("a JWK"))
      }
      let exchange = Self.exchange(value)
      for member in members {
        var inner = place.member(member.name)
        if let exchange { inner.path = exchange + " " + member.name }
        // Within a request or response of a HAR file, the exchange is the name.
        if place.path.hasSuffix(" request") || place.path.hasSuffix(" response") { inner.path = place.path }
        search(member.value, at: inner)
      }
    } else if let items = try? value.array {
      for (index, item) in items.enumerated() { search(item, at: place.member("[\(index)]")) }
    } else if let text = try? value.string,
      (Self.minimumStringLength...Inspection.maximumByteCount).contains(text.utf8.count),
      place.wrappers.count < Self.maximumLevel
    {
      searchString([UInt8](text.utf8), at: place)
    }
  }

  private mutating func searchString(_ text: [UInt8], at place: Place) {
    guard let readings = try? InputReading.readings(of: text) else { return }
    for reading in readings {
      guard let kind = ArtifactKind.recognized(in: reading.bytes), reading.form != .text || kind.isText else {
        continue
      }
      if kind.isSpecific { return add(kind, reading, at: place) }
      if kind == .json, let value = try? JSON.parse(reading.bytes, maximumSize: Inspection.maximumByteCount) {
        return search(value, at: place.inside("a string"))
      }
    }
    // A message with JSON or a form in it.
    if text.contains(UInt8(ascii: "{")) || text.contains(UInt8(ascii: "%")) {
      unwrap(text, at: place.inside("a string"))
    }
  }

  /// Whether the body of a HAR file's response is a picture, a font or a script.
  private static func isMedia(_ type: String) -> Bool {
    ["image/", "font/", "audio/", "video/", "text/css"].contains(where: type.hasPrefix)
      || ["javascript", "wasm"].contains(where: type.contains)
  }

  /// Returns the method and the address of a HAR file's entry.
  private static func exchange(_ value: JSONValue) -> String? {
    guard (try? value["response"]) != nil, let request = try? value["request"], let url = try? request["url"]?.string
    else { return nil }
    let method = (try? request["method"]?.string) ?? "GET"
    return "\(method) \(url)".escapedForTerminal
  }

  private mutating func add(_ kind: ArtifactKind, _ reading: InputReading, at place: Place) {
    // Text and the words within it can hold the same artifact.
    guard !found.contains(where: { $0.kind == kind && $0.reading.bytes == reading.bytes }) else { return }
    guard found.count < Self.maximumCount, byteCount + reading.bytes.count <= Inspection.maximumByteCount else {
      isCut = true
      return
    }
    byteCount += reading.bytes.count
    found.append(EmbeddedArtifact(kind: kind, reading: reading, wrappers: place.wrappers, path: place.path))
  }

  // MARK: Parts of a text

  /// Returns the literals that begin within the text at one of the characters.
  static func literals(in text: Bytes, opens: [UInt8]) -> [LogLiteral] {
    var literals: [LogLiteral] = []
    var position = text.startIndex
    var attempts = 0
    while let start = text[position...].firstIndex(where: opens.contains), attempts < maximumStartCount {
      attempts += 1
      // A type or a prefix precedes the bracket: `Uint8Array(37) [`, `b'`.
      let before = text[position..<start].reversed().prefix { $0.isNameCharacter || $0 == UInt8(ascii: "!") }.count
      let candidates = before > 0 ? [start - before, start] : [start]
      let literal = candidates.lazy.compactMap { LogLiteral(in: text, at: $0) }.first { $0.end > start }
      if let literal { literals.append(literal) }
      position = max(literal?.end ?? 0, start + 1)
    }
    return literals
  }

  /// Returns the words of the text that may be encoded bytes.
  static func words(in text: Bytes) -> [[UInt8]] {
    let parts = text.split { !($0.isLetter || $0.isDigit || wordSigns.contains($0)) }
    let words = parts.filter { $0.count >= minimumWordLength }.flatMap { (word) in
      // An equals sign pads a word or follows a name.
      [word] + (word.firstIndex(of: UInt8(ascii: "=")).map { [word[($0 + 1)...]] } ?? [])
    }
    return words.filter { $0.count >= minimumWordLength }.prefix(maximumWordCount).map { [UInt8]($0) }
  }

  private static let wordSigns = [UInt8]("+/-_=".utf8)
}

extension JSONDraft {
  /// The draft as JSON text.
  var text: [UInt8] {
    switch self {
    case .object(let members):
      JSON.writeObject { (object) in for member in members { member.value.write(as: member.name, into: &object) } }
    case .array(let items):
      JSON.writeArray { (array) in for item in items { item.write(into: &array) } }
    case .null, .bool, .integer, .string, .bytes: Array(JSON.writeArray { write(into: &$0) }.dropFirst().dropLast())
    }
  }
}

extension ArtifactKind {
  /// Whether the kind has a structure of its own, unlike CBOR, DER and JSON.
  var isSpecific: Bool {
    switch self {
    case .cbor, .der, .json: false
    default: true
    }
  }

  /// Returns the kind of an object inside other JSON. A challenge alone does not make options of it.
  fileprivate static func embedded(in value: JSONValue) -> ArtifactKind? {
    let kind = of(value)
    guard kind == .requestOptions else { return kind.flatMap { $0.isSpecific ? $0 : nil } }
    let options = Inspector.unwrapped(value, JSONShape.requestOptions)
    let marks = ["rpId", "allowCredentials", "userVerification"]
    return marks.contains { (try? options[$0]) != nil } ? kind : nil
  }
}
