// SPDX-License-Identifier: Apache-2.0

internal import WebAuthnRelyingParty
internal import WireFormats

/// What an assertion of a case is asked for, or used for.
enum CasePurpose: Hashable {
  case signIn
  case stepUp(session: [UInt8], action: [UInt8])

  private static let signInText = "sign-in"

  /// `"sign-in"`, or an object with the session and the act, both in base64url.
  init(_ value: JSONValue) throws(WireError) {
    if let text = try? value.string {
      guard text == Self.signInText else { throw WireError(.jsonWrongType, at: value.offset) }
      self = .signIn
    } else {
      self = .stepUp(session: try value.require("session").base64URL, action: try value.require("action").base64URL)
    }
  }

  var json: JSONDraft {
    switch self {
    case .signIn: .string(Self.signInText)
    case .stepUp(let session, let action): .object(["session": .bytes(session), "action": .bytes(action)])
    }
  }

  var purpose: AuthenticationPurpose {
    switch self {
    case .signIn: .signIn
    case .stepUp(let session, let action): .stepUp(StepUpAction(session: session[...], action: action[...]))
    }
  }
}
