// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

// What signals have that other messages have not.

extension MemberReader {
  func relyingPartyID(_ name: String) throws(Failure) -> RelyingPartyID {
    guard let id = try relyingPartyIDIfPresent(name) else { throw missing(name) }
    return id
  }

  /// An array of strings in base64url.
  func values<Value: OpaqueBytes>(_ name: String, as _: Value.Type = Value.self) throws(Failure) -> [Value] {
    guard let texts = try textsIfPresent(name) else { throw missing(name) }
    var values: [Value] = []
    for text in texts {
      let bytes: [UInt8]
      do throws(WireError) {
        bytes = try Base64URL.decode(text)
      } catch {
        throw invalid(name)
      }
      do throws(FormatError) {
        values.append(try Value(bytes))
      } catch {
        throw fault(error.code, in: name)
      }
    }
    return values
  }
}
