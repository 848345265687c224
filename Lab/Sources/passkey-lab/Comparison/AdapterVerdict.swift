// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

/// The verdict of another implementation on a case.
struct AdapterVerdict {
  enum Kind: String {
    /// The implementation accepts the response.
    case accepted
    /// The implementation refuses the response with one of its documented errors.
    case refused
    /// The implementation has no parameter for something that the case needs.
    case unsupported
    /// The implementation fails with another error, or its adapter gives no answer.
    case crashed
  }

  let kind: Kind
  let reason: String?

  init(_ kind: Kind, reason: String?) {
    self.kind = kind
    self.reason = reason
  }

  /// Reads the answer to a case; nil if it is not one.
  init?(_ answer: JSONValue, to id: String) {
    guard let answered = try? answer["id"]?.string, answered == id, let word = try? answer["verdict"]?.string,
      let kind = Kind(rawValue: word)
    else { return nil }
    self.init(kind, reason: (try? answer["reason"]?.unlessNull?.string) ?? nil)
  }
}

/// The implementation behind an adapter, as the adapter describes it.
struct AdapterDescription {
  let name: String
  let version: String
  /// The interpreter or platform of the implementation, such as `Python 3.11.2`.
  let runtime: String?
  /// The words of ``AdapterCase/needs`` that the implementation has parameters for.
  let abilities: Set<String>

  init?(_ answer: JSONValue) {
    guard let name = try? answer["name"]?.string, let version = try? answer["version"]?.string,
      let abilities = try? answer["can"]?.elements({ (word) throws(WireError) in try word.string })
    else { return nil }
    self.name = name
    self.version = version
    self.abilities = Set(abilities)
    runtime = (try? answer["runtime"]?.unlessNull?.string) ?? nil
  }

  /// The name and the version.
  var title: String { "\(name) \(version)" }
}
