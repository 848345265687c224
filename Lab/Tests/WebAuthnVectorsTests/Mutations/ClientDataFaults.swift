// SPDX-License-Identifier: Apache-2.0

import PasskeyFormats

@testable import WebAuthnInspection
@testable import WebAuthnVectors

/// Client data with one fault, and the refusal of the client data steps; nil where only a signature detects the fault.
struct ClientDataFault {
  let name: String
  let text: [UInt8]
  let refusal: Verdict?
}

extension ClientDataRule {
  /// Returns client data with one bit flipped, for each byte.
  func flipped(_ text: [UInt8]) -> [ClientDataFault] {
    text.indices.flatMap { index in
      flippedBits(at: index).map { bit in
        var flipped = text
        flipped[index] ^= bit
        return ClientDataFault(
          name: "client data: bit \(bit) of byte \(index)", text: flipped, refusal: refusal(of: flipped))
      }
    }
  }

  /// Returns client data with each member changed as in known attacks.
  func changed(_ text: [UInt8]) throws -> [ClientDataFault] {
    let object = try JSON.parse(JSON.withoutByteOrderMark(text[...]))
    func fault(_ name: String, _ refusal: Verdict?, _ changes: [String: JSONFragment?]) throws -> ClientDataFault {
      ClientDataFault(name: "client data: \(name)", text: try object.replacing(changes), refusal: refusal)
    }
    let invalid = malformed("client-data.invalid-member")
    let missing = malformed("client-data.missing-member")
    var faults: [ClientDataFault] = []
    for type in ["webauthn.create", "webauthn.get", "payment.get", "WebAuthn.create", "webauthn.create ", ""]
    where try object.require("type").string != type {
      faults.append(try fault("type \(type)", refused(.type), ["type": .string(type)]))
    }
    for (name, challenge) in try challenges(object.require("challenge").base64URL) {
      faults.append(try fault("challenge \(name)", refused(.challenge), ["challenge": challenge]))
    }
    let challenge = try object.require("challenge").string
    faults.append(try fault("challenge padded", invalid, ["challenge": .string(challenge + "=")]))
    faults.append(try fault("challenge and a space", invalid, ["challenge": .string(challenge + " ")]))
    for origin in Self.lookalikes(of: try object.require("origin").string) {
      faults.append(try fault("origin \(origin)", refused(.origin), ["origin": .string(origin)]))
    }
    for name in ["type", "challenge", "origin"] {
      faults.append(try fault("no \(name)", missing, [name: nil]))
      faults.append(try fault("\(name) null", invalid, [name: .null]))
      faults.append(try fault("\(name) a number", invalid, [name: 7]))
    }
    faults.append(try fault("crossOrigin a string", invalid, ["crossOrigin": "true"]))
    faults.append(try fault("crossOrigin null", nil, ["crossOrigin": .null]))
    faults.append(try fault("topOrigin null", nil, ["topOrigin": .null]))
    faults.append(try fault("topOrigin a number", invalid, ["topOrigin": 7]))
    if recorded.relyingParty.allowsCrossOrigin {
      faults.append(
        try fault("another top origin", refused(.topOrigin), ["topOrigin": "https://evil.example"]))
    } else {
      faults.append(try fault("crossOrigin true", refused(.frame), ["crossOrigin": true]))
      faults.append(
        try fault("a top origin", refused(.topOriginAtAll), ["topOrigin": "https://evil.example"]))
    }
    faults.append(try fault("an unknown member", nil, ["unknownMember": true]))
    faults.append(try fault("a token binding", nil, ["tokenBinding": "unsupported"]))
    // Some recorded client data have such a member already.
    return faults.filter { $0.text != text } + spelling(text)
  }

  /// Returns changes of the text that do not change the members.
  private func spelling(_ text: [UInt8]) -> [ClientDataFault] {
    func fault(_ name: String, _ refusal: Verdict?, _ text: [UInt8]) -> ClientDataFault {
      ClientDataFault(name: "client data: \(name)", text: text, refusal: refusal)
    }
    let malformed = malformed("client-data.malformed")
    let members = [UInt8](JSON.withoutByteOrderMark(text[...]).drop { $0 != UInt8(ascii: "{") }.dropFirst())
    return [
      fault("empty", malformed, []),
      fault("an array", malformed, [UInt8]("[]".utf8)),
      fault("cut", malformed, [UInt8](text.prefix { $0 != UInt8(ascii: "}") })),
      fault("trailing text", malformed, text + [UInt8(ascii: "x")]),
      fault("a trailing zero", malformed, text + [0]),
      fault("trailing white space", nil, text + [UInt8(ascii: "\n")]),
      fault("a byte order mark", refusal(of: [0xef, 0xbb, 0xbf] + text), [0xef, 0xbb, 0xbf] + text),
      fault("type twice", malformed, [UInt8](#"{"type":"webauthn.get","#.utf8) + members),
      fault("type twice, once by an escape", malformed, [UInt8](#"{"\u0074ype":"webauthn.get","#.utf8) + members),
      fault("origin twice, once by an escape", malformed, [UInt8](#"{"or\u0069gin":"x","#.utf8) + members),
    ]
  }

  private func challenges(_ challenge: [UInt8]) -> [(String, JSONFragment)] {
    [
      ("empty", ""),
      ("with its first bit flipped", .base64URL(challenge.prefix(1).map { $0 ^ 0x80 } + challenge.dropFirst())),
      ("a byte short", .base64URL([UInt8](challenge.dropLast()))), ("a byte long", .base64URL(challenge + [0])),
      ("reversed with a byte appended", .base64URL(challenge.reversed() + [1])),
    ]
  }

  /// Returns other origins that resemble this one.
  static func lookalikes(of origin: String) -> [String] {
    let parts = origin.split(separator: "://", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return ["", "null"] }
    let (scheme, host) = (parts[0], parts[1])
    let name = host.prefix { $0 != ":" }
    return [
      "", "null", host, "\(scheme):\(host)", "\(scheme):/\(host)", "\(origin)/", "\(origin)/path", "\(origin)?",
      "\(origin)#",
      "\(origin).", "\(origin).evil.example", "\(scheme)://evil.example/\(origin)", "\(scheme)://evil.example#\(host)",
      "\(scheme)://user@\(host)", "\(scheme)://\(host)@evil.example", "\(scheme)://www.\(host)", "\(scheme)://.\(host)",
      "\(scheme)://\(name):\(scheme == "https" ? 443 : 80)", "\(scheme)://\(name):1", "\(scheme)://\(name):",
      "\(scheme)://\(name):0443", "\(scheme)://\(name):+443",
      "\(scheme)://\(name):65979", "\(scheme)s://\(host)", "ftp://\(host)", "\(scheme.uppercased())://\(host)",
      "\(scheme)://\(host.uppercased())", " \(origin)", "\(origin) ", "\(origin)\n", "\(origin)\u{0}", "\(origin)\\",
      "\(scheme)://xn--\(host)", "\(scheme)://\u{200d}\(host)", "\(scheme)://\(host)\u{301}",
      "\(scheme)://\(host.replacing("e", with: "\u{435}"))x",
      "\(scheme)://\(name.replacing(".", with: "\u{3002}"))\u{ff0e}",
      "android:apk-key-hash:\(host)", "\(origin),\(origin)",
    ].filter { $0 != origin }
  }
}

extension JSONValue {
  /// Returns the object with members replaced, added or, where the value is nil, removed.
  fileprivate func replacing(_ changes: [String: JSONFragment?]) throws -> [UInt8] {
    let members = try members.map { ($0.name, $0.value) }
    return JSON.writeObject { output in
      for (name, value) in members where changes[name] == nil { output.write(name, .verbatim(value)) }
      for case (let name, let value?) in changes { output.write(name, value) }
    }
  }
}
