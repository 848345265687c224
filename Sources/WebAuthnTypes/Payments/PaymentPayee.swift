// SPDX-License-Identifier: Apache-2.0

/// Who is paid, as it is shown to whoever pays. A browser shows no payment to nobody.
public enum PaymentPayee: Sendable {
  /// By a name.
  case name(String)
  /// By a web site.
  case origin(Origin)
  /// By both.
  case nameAndOrigin(String, Origin)

  /// The name, where one is shown.
  public var name: String? {
    switch self {
    case .name(let name), .nameAndOrigin(let name, _): name
    case .origin: nil
    }
  }

  /// The web site, where one is shown.
  public var origin: Origin? {
    switch self {
    case .origin(let origin), .nameAndOrigin(_, let origin): origin
    case .name: nil
    }
  }
}

extension PaymentPayee: Hashable {
  /// Whether both are written with the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    PaymentText.isSame(left.name, right.name) && left.origin == right.origin
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in (name ?? "").utf8 { hasher.combine(byte) }
    hasher.combine(origin)
  }
}

extension PaymentPayee: CustomStringConvertible {
  /// The name, the web site, or both.
  public var description: String {
    [name, origin?.text].compactMap { $0 }.joined(separator: ", ")
  }
}
