// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// A part of a ceremony in the body of a message.
enum CeremonyPart: CaseIterable {
  case creationOptions, requestOptions, registration, assertion

  static let all: [Self] = [.creationOptions, .requestOptions]

  /// 6 levels  [the deepest known service nests its options in three objects]
  private static let maximumDepth = 6

  /// Finds the part with the path to it.
  func find(in value: JSONValue, depth: Int = 0) -> (path: [String], value: JSONValue)? {
    guard value.kind == .object, depth <= Self.maximumDepth else { return nil }
    if matches(value) { return ([], value) }
    guard let members = try? value.members else { return nil }
    for member in members {
      if let found = find(in: member.value, depth: depth + 1) { return ([member.name] + found.path, found.value) }
    }
    return nil
  }

  private func matches(_ object: JSONValue) -> Bool {
    func has(_ name: String, in object: JSONValue? = nil) -> Bool { (try? object?[name]) != nil }
    switch self {
    case .creationOptions: return has("challenge", in: object) && has("pubKeyCredParams", in: object)
    case .requestOptions:
      return has("challenge", in: object) && !has("pubKeyCredParams", in: object)
        && ["rpId", "allowCredentials", "userVerification", "timeout"].contains { has($0, in: object) }
    case .registration, .assertion:
      guard let response = try? object["response"], response.kind == .object else { return false }
      let names = self == .registration ? ["attestationObject", "clientDataJSON"] : ["signature", "authenticatorData"]
      return names.allSatisfy { has($0, in: response) }
    }
  }
}

extension RecordedMessage {
  var hasSucceeded: Bool { status.map { 200..<300 ~= $0 } ?? true }

  func begins(_ kind: CeremonyPart, _ form: Recording.Form) -> Bool {
    if let response, kind.find(in: response) != nil { return true }
    return form == .openAPI && isNamed(kind, ["options", "begin", "start", "challenge", "request", "initialize"])
  }

  func finishes(_ kind: CeremonyPart, _ form: Recording.Form) -> Bool {
    if let request, kind.find(in: request) != nil { return true }
    return form == .openAPI && isNamed(kind, ["verify", "finish", "complete", "result", "verification", "end"])
  }

  /// Whether the path names a ceremony. Many OpenAPI documents describe its messages as any object.
  private func isNamed(_ kind: CeremonyPart, _ steps: [String]) -> Bool {
    let path = path.lowercased()
    let registers = ["regist", "attestation", "signup", "sign-up", "create"].contains(where: path.contains)
    let signsIn = ["login", "authenticat", "assertion", "signin", "sign-in"].contains(where: path.contains)
    let isRegistration = kind == .creationOptions || kind == .registration
    guard method == "POST" || method == "GET", isRegistration ? registers : signsIn && !registers else { return false }
    return steps.contains(where: path.contains)
  }
}

/// The texts in a message.
enum JSONStrings {
  /// Returns all strings with their paths, except those in the object at `path`.
  static func all(in value: JSONValue, except path: [String], at place: [String] = []) -> [(path: String, text: String)]
  {
    guard place != path || path.isEmpty, place.count <= 8 else { return [] }
    switch value.kind {
    case .string: return [(place.joined(separator: "."), (try? value.string) ?? "")]
    case .object:
      guard let members = try? value.members else { return [] }
      return members.flatMap { (member) in
        // At the top of the message, the members of a ceremony are not those of the service.
        let isStandard = place.isEmpty && path.isEmpty && LearnedShape.standardMembers.contains(member.name)
        return isStandard ? [] : all(in: member.value, except: path, at: place + [member.name])
      }
    default: return []
    }
  }
}
