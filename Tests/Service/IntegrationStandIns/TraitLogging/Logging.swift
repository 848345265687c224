// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of swift-log 1.14.0, as far as the trait Logging uses them.

public struct Logger: Sendable {
  public typealias Metadata = [String: MetadataValue]

  public enum MetadataValue: CustomStringConvertible, Sendable {
    case string(String)
    case stringConvertible(any CustomStringConvertible & Sendable)

    public var description: String {
      switch self {
      case .string(let text): text
      case .stringConvertible(let value): value.description
      }
    }
  }

  public enum Level: String, Sendable, CaseIterable {
    case trace, debug, info, notice, warning, error, critical
  }

  public struct Message: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
    public let description: String

    public init(stringLiteral value: String) {
      description = value
    }
  }

  private let handler: any LogHandler

  public init(label: String, factory: (String) -> any LogHandler) {
    handler = factory(label)
  }

  public func log(
    level: Logger.Level, _ message: @autoclosure () -> Logger.Message,
    metadata: @autoclosure () -> Logger.Metadata? = nil, source: @autoclosure () -> String? = nil,
    file: String = #fileID, function: String = #function, line: UInt = #line
  ) {
    handler.log(
      level: level, message: message(), metadata: metadata(), source: source() ?? "", file: file, function: function,
      line: line)
  }
}

public protocol LogHandler: Sendable {
  func log(
    level: Logger.Level, message: Logger.Message, metadata: Logger.Metadata?, source: String, file: String,
    function: String, line: UInt)
}
