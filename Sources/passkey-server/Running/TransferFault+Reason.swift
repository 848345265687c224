// SPDX-License-Identifier: Apache-2.0

internal import CurlTransfers

extension TransferFault {
  /// The fault in words, for a message.
  var reason: String {
    switch cause {
    case .timedOut: "the server did not answer in time"
    case .nameNotFound: "unknown host"
    case .connectFailed: "the server cannot be reached"
    case .other(let words): words
    default: "\(cause)"
    }
  }
}
