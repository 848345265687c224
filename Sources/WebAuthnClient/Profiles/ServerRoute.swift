// SPDX-License-Identifier: Apache-2.0

/// The method and path of an endpoint. `{id}` in the path is a placeholder for an identifier.
public struct ServerRoute: Hashable, Sendable {
  /// The method.
  public let method: String

  /// The path.
  public let path: String

  /// Parses a text such as `POST /api/auth/login/options`. Returns nil if it is malformed.
  public init?(_ text: String) {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    self.init(String(parts[0]), String(parts[1]))
    guard (try? ServerRequest(method, filled(with: "0")).check()) != nil else { return nil }
  }

  init(_ method: String, _ path: String) {
    self.method = method
    self.path = path
  }

  /// Returns the path with the identifier filled in.
  func filled(with id: String) -> String {
    guard let place = path.firstRange(of: Self.placeholder) else { return path }
    return path[..<place.lowerBound] + id + path[place.upperBound...]
  }

  /// The number of placeholders.
  var placeholderCount: Int {
    var (count, rest) = (0, path[...])
    while let place = rest.firstRange(of: Self.placeholder) { (count, rest) = (count + 1, rest[place.upperBound...]) }
    return count
  }

  private static let placeholder = "{id}"
}

extension ServerRoute: CustomStringConvertible {
  /// The method and the path.
  public var description: String { "\(method) \(path)" }
}
