// SPDX-License-Identifier: Apache-2.0

/// An error that consists of a code for programs and a detail for people.
public protocol CodedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The causes, with their stable codes.
  associatedtype Code: RawRepresentable<String>
  /// `String`, or `String?` if some errors have no detail.
  associatedtype Detail

  /// The cause.
  var code: Code { get }

  /// A description of the problem, for a log line or a message.
  var detail: Detail { get }
}

extension CodedError where Detail == String? {
  /// The code and the detail, for a log line.
  public var description: String { detail.map { "\(code.rawValue): \($0)" } ?? code.rawValue }
}

extension CodedError where Detail == String {
  /// The code and the detail, for a log line.
  public var description: String { detail.isEmpty ? code.rawValue : "\(code.rawValue): \(detail)" }
}
