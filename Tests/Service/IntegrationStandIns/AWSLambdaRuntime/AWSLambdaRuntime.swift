// SPDX-License-Identifier: Apache-2.0

// Declarations with the shapes of AWSLambdaRuntime 2, as far as Documentation/Integrations/AWSLambda.md uses them.

package import LoggingStandIn

package struct LambdaContext: Sendable {
  package let logger: Logger

  package init(logger: Logger) {
    self.logger = logger
  }
}
