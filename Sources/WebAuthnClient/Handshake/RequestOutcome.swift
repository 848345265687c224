// SPDX-License-Identifier: Apache-2.0

/// What became of a request.
public enum RequestOutcome: Sendable {
  /// The server answered it, with whatever status.
  case answered(ServerReply)

  /// It was not carried out: this act has to be confirmed first.
  case needsStepUp(StepUpDemand, ServerReply)
}
