// SPDX-License-Identifier: Apache-2.0
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Declarations with the shapes of AWSLambdaRuntime 2, as far as Documentation/Integrations/AWSLambda.md uses them.

public import LoggingStandIn

public struct LambdaContext: Sendable {
  public let logger: Logger

  public init(logger: Logger) {
    self.logger = logger
  }
}
