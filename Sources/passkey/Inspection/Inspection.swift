// SPDX-License-Identifier: Apache-2.0

internal import CommandLineTool
internal import WireFormats

/// An artifact that has been inspected: what it is, how it was written, and the tree.
struct Inspection {
  let kind: ArtifactKind
  let form: InputReading.Form
  let bytes: [UInt8]
  private(set) var tree: InspectionNode

  /// Finds out how the input is written and what it is.
  ///
  /// A reading that some library takes whole comes before one that is only likely, so that hex digits which happen to
  /// be good base64url too are read as what makes sense.
  init(of input: [UInt8], as kind: ArtifactKind?) throws(CommandFailure) {
    let readings = try Self.readings(of: input)
    func first(_ judge: (Bytes) -> ArtifactKind?) -> (reading: InputReading, kind: ArtifactKind)? {
      for reading in readings {
        if let kind = judge(reading.bytes[...]) { return (reading, kind) }
      }
      return nil
    }
    let found: (reading: InputReading, kind: ArtifactKind)?
    if let kind {
      // Digits and letters are the artifact itself only where artifacts of its kind are text.
      let fitting = readings.filter { $0.form != .text || kind.isText || readings.count == 1 }
      let whole = fitting.first { Inspector().inspect($0.bytes[...], as: kind).isFlawless }
      found = (whole ?? fitting.first).map { ($0, kind) }
    } else {
      found = first(ArtifactKind.recognized) ?? first(ArtifactKind.likely)
    }
    guard let found else {
      throw .verificationFailed(
        "this is nothing that passkey knows: \(byteCount(input.count)), in no form it understands",
        hint: Self.otherCommand(for: input) ?? "name what it should be with --as, to see where it goes wrong")
    }
    self.kind = found.kind
    form = found.reading.form
    bytes = found.reading.bytes
    tree = Inspector().inspect(bytes[...], as: found.kind)
    let followers = found.reading.followers
    if followers > 0 { tree.remarks.insert("\(followers) more behind it in the text, not shown", at: 0) }
  }
}

extension Inspection {
  /// The command that knows more of what is no artifact of a ceremony's, as far as its beginning tells.
  private static func otherCommand(for input: [UInt8]) -> String? {
    // What a vault begins with, and `{"` in base64url, of which a token has three runs.
    if input.starts(with: Array("PASSKEYV".utf8)) { return "it looks like a vault: passkey keys list --vault opens it" }
    let isToken = input.starts(with: Array("eyJ".utf8)) && input.count { (byte) in byte == UInt8(ascii: ".") } == 2
    return isToken ? "it looks like a token: if it is FIDO metadata, passkey mds show reads it" : nil
  }

  private static func readings(of input: [UInt8]) throws(CommandFailure) -> [InputReading] {
    do throws(WireError) {
      return try InputReading.readings(of: input)
    } catch {
      throw .verificationFailed("\(error)", hint: "the text has a PEM boundary and is not whole")
    }
  }
}

extension ArtifactKind {
  /// Whether the artifact itself is text.
  fileprivate var isText: Bool {
    switch self {
    case .clientData, .registrationResponse, .authenticationResponse, .creationOptions, .requestOptions, .json: true
    default: false
    }
  }
}
