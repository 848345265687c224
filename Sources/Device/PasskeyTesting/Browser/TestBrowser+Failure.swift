// SPDX-License-Identifier: Apache-2.0

internal import PasskeyCrypto
internal import WebAuthnBrowser

extension TestBrowser {
  /// Why a browser has no response to post.
  public enum Failure: Error, Hashable, Sendable {
    /// The browser, the device or its user refused. `name` is that of the exception that a page gets, such as
    /// `NotAllowedError`; `code` says why, such as `client.no-credentials`; `detail` is for people.
    case exception(name: String, code: String, detail: String)

    /// The origin is malformed.
    case origin(String)

    /// The fault is not in this kind of ceremony.
    case faultElsewhere(Fault?)

    /// The response could not be made with a fault.
    case fault(String)

    /// The server refused to begin the ceremony, so no response with a fault was sent.
    case notBegun(status: Int)

    /// The server accepted the confirmation, and its reply has no `header` and `grant` for the request.
    case noGrant

    /// The browser has no function that sends requests.
    case noHandler

    /// The device failed.
    case device(String)

    /// The code of an exception, such as `client.no-credentials`; nil for another failure.
    public var code: String? {
      if case .exception(_, let code, _) = self { code } else { nil }
    }

    init(_ error: ClientError) {
      self = .exception(name: error.domName, code: error.code.rawValue, detail: error.description)
    }

    init(fault error: FaultError) {
      self = .fault("\(error)")
    }
  }
}
