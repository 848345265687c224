// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension Inspection {
  /// Returns the artifacts inside the text of the readings. Returns an empty list if the text itself is an artifact, which
  /// `recognized` is.
  static func search(
    _ readings: [InputReading], isLenient: Bool, _ recognized: (reading: InputReading, kind: ArtifactKind)?
  ) -> [EmbeddedArtifact] {
    if let (reading, kind) = recognized, kind.isSpecific {
      return kind.isText && isLenient == false ? withoutByteArrays(reading, kind) : []
    }
    for reading in readings where reading.form == .text || reading.form == .raw {
      if let token = JSONWebToken.parts(of: reading.bytes) {
        let content = InputReading(form: .text, bytes: token)
        return [EmbeddedArtifact(kind: .json, reading: content, wrappers: ["a JWT"], path: "")]
      }
      var search = ArtifactSearch(isLenient: isLenient)
      if !isLenient, let value = try? JSON.parse(reading.bytes, maximumSize: maximumByteCount) {
        search.search(value, at: ArtifactSearch.Place())
        if !search.found.isEmpty { return search.found }
      }
      search.unwrap(reading.bytes, at: ArtifactSearch.Place())
      if !search.found.isEmpty { return search.found }
    }
    return []
  }

  /// Returns an artifact whose JSON has arrays of numbers for byte strings, with base64url in their place; none where that
  /// does not mend its problems.
  private static func withoutByteArrays(_ reading: InputReading, _ kind: ArtifactKind) -> [EmbeddedArtifact] {
    let problems = Inspector().inspect(reading.bytes, as: kind).problemCount
    guard problems > 0, let literal = LogLiteral(whole: reading.bytes), let name = literal.name else { return [] }
    let content = InputReading(form: .text, bytes: literal.value.text)
    guard Inspector().inspect(content.bytes, as: kind).problemCount < problems else { return [] }
    return [EmbeddedArtifact(kind: kind, reading: content, wrappers: ["JSON with " + name], path: "")]
  }
}

extension EmbeddedArtifact {
  /// The reading with its wrappers, and the member in which it was found.
  var wrappedReading: InputReading {
    var reading = reading
    reading.wrappers = wrappers + (path.isEmpty ? [] : [path.escapedForTerminal])
    return reading
  }

  /// The tree of the artifact, under the name of its place.
  func node(_ number: Int) -> InspectionNode {
    var node = Inspector().inspect(reading.bytes, as: kind)
    node.note = [kind.title, node.note].compactMap(\.self).joined(separator: ", ")
    node.name = path.isEmpty ? "[\(number)]" : path.escapedForTerminal
    return node
  }
}
