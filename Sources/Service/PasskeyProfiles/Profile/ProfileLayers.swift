// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// An object of a profile with the objects that it inherits from: a member of an earlier layer hides those of later ones.
struct ProfileLayers {
  private let layers: [JSONValue]

  /// The path of the object in the profile.
  let path: String

  init(_ layers: [JSONValue], at path: String = "") {
    self.layers = layers
    self.path = path
  }

  /// The names of all members.
  var names: [String] {
    var names: [String] = []
    for layer in layers {
      for name in layer.profileNames where !names.contains(name) { names.append(name) }
    }
    return names
  }

  /// Returns a member, or nil if no layer has it or the first layer that has it contains `null`.
  func member(_ name: String) -> JSONValue? {
    layers.lazy.compactMap { $0.profileMember(name) }.first?.unlessNull
  }

  /// Returns the object in a member, with the inherited members. A layer with `null` hides the layers behind it.
  ///
  /// With `skippingTexts`, a layer with a string in place of the object has no members.
  func section(_ name: String, skippingTexts: Bool = false) throws(ProfileError) -> ProfileLayers {
    var found: [JSONValue] = []
    for layer in layers {
      guard let member = layer.profileMember(name) else { continue }
      if member.isNull { break }
      if skippingTexts, member.kind == .string { continue }
      guard member.kind == .object else { throw ProfileError(.memberInvalid, at: memberPath(name), "use an object") }
      found.append(member)
    }
    return ProfileLayers(found, at: memberPath(name))
  }

  /// Whether no layer has a member.
  var isEmpty: Bool { layers.isEmpty }

  func memberPath(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  /// Throws if a layer has a member whose name is not in `known`.
  func allow(_ known: Set<String>) throws(ProfileError) {
    for name in names where !known.contains(name) {
      throw ProfileError(
        .memberUnknown, at: memberPath(name), "expected one of \(known.sorted().joined(separator: ", "))")
    }
  }

  // MARK: Typed members

  func text(_ name: String) throws(ProfileError) -> String? {
    guard let member = member(name) else { return nil }
    return try member.profileText(memberPath(name))
  }

  func integer(_ name: String, _ range: ClosedRange<Int64>) throws(ProfileError) -> Int64? {
    guard let member = member(name) else { return nil }
    guard let integer = try? member.int64, range.contains(integer) else {
      throw invalid(name, "use an integer from \(range.lowerBound) to \(range.upperBound)")
    }
    return integer
  }

  func boolean(_ name: String) throws(ProfileError) -> Bool? {
    guard let member = member(name) else { return nil }
    guard let boolean = try? member.bool else { throw invalid(name, "use true or false") }
    return boolean
  }

  func choice<Choice: RawRepresentable & CaseIterable>(
    _ name: String, of: Choice.Type = Choice.self
  ) throws(ProfileError) -> Choice? where Choice.RawValue == String {
    guard let text = try text(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw invalid(name, "use \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return choice
  }

  func choices<Choice: RawRepresentable & CaseIterable>(
    _ name: String, of: Choice.Type = Choice.self
  ) throws(ProfileError) -> [Choice]? where Choice.RawValue == String {
    guard let member = member(name) else { return nil }
    let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    guard let elements = try? member.array else { throw invalid(name, "use a list of \(names)") }
    var choices: [Choice] = []
    for element in elements {
      guard let text = try? element.string, let choice = Choice(rawValue: text) else {
        throw invalid(name, "use \(names)")
      }
      choices.append(choice)
    }
    return choices
  }

  func invalid(_ name: String, _ detail: String) -> ProfileError {
    ProfileError(.memberInvalid, at: memberPath(name), detail)
  }
}

extension JSONValue {
  /// The names of the members of an object; empty for other values.
  var profileNames: [String] { (try? members.map(\.name)) ?? [] }

  /// Returns the member of an object, or nil if it is missing or the value is not an object.
  func profileMember(_ name: String) -> JSONValue? { try? self[name] }

  /// The text of a string. Throws `profile.member-invalid` for other values.
  func profileText(_ path: String) throws(ProfileError) -> String {
    guard let text = try? string else { throw ProfileError(.memberInvalid, at: path, "use a string") }
    return text
  }
}
