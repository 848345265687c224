// SPDX-License-Identifier: Apache-2.0

/// The outcome of a request.
public enum RequestOutcome: Sendable {
  /// The server answered, with any status.
  case answered(ServerReply)

  /// The server did not carry out the request: the user has to confirm this action first.
  case needsStepUp(StepUpDemand, ServerReply)
}
