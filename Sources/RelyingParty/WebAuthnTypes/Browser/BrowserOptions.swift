// SPDX-License-Identifier: Apache-2.0

package import PasskeyFormats

/// The options of a ceremony as a browser reads them: JSON text, converted by
/// `PublicKeyCredential.parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()` (WebAuthn §5.1.8 and §5.1.9)
/// and checked as far as the options alone decide.
///
/// Other readers of this module are stricter with values of the wrong type and more lenient with null members.
package struct BrowserOptions: Sendable {
  /// The values that the browser changes.
  package let changes: [Change]

  /// The reasons for a refusal. The browser throws the exception of the first one.
  package let refusals: [BrowserRefusal]

  private let members: [String: ExtensionValue]

  /// A value that the browser reads as another one.
  package struct Change: Hashable, Sendable {
    /// The path of the member, such as `user.name` or `hints[0]`.
    package let member: String
    /// The position of the value in the text.
    package let offset: Int
    /// The act of the browser, such as `reads "null"`.
    package let effect: String
    /// Whether the member is null and the browser continues as if it were absent.
    package let isAbsence: Bool
  }

  /// The ceremony that options are for.
  package enum Ceremony: Sendable {
    case registration, authentication
  }

  /// Reads the options of a ceremony.
  ///
  /// - Throws: `options.malformed` if the text is not a JSON object.
  package init(json: Bytes, for ceremony: Ceremony) throws(FormatError) {
    do throws(WireError) {
      self.init(try JSON.parse(json).object, for: ceremony)
    } catch {
      throw FormatError(.optionsMalformed, error)
    }
  }

  /// Reads the options of a ceremony from a JSON object.
  package init(_ options: JSONValue, for ceremony: Ceremony) {
    var conversion = WebIDLConversion()
    let type = ceremony == .registration ? WebIDLType.creationOptions : .requestOptions
    let value = conversion.convert(options, to: type)
    // Web IDL converts everything before the browser decodes and checks anything.
    let refusals = conversion.typeErrors + conversion.encodingErrors
    guard case .object(let members)? = value, refusals.isEmpty else {
      (changes, self.refusals, self.members) = (conversion.changes, refusals, [:])
      return
    }
    let checks = OptionsChecks(members, offsets: conversion.offsets)
    self.refusals = checks.refusals(of: ceremony)
    let (possible, ignored) = checks.withoutImpossibleCredentials(members)
    self.members = possible
    changes = conversion.changes + ignored
  }

  /// Returns the options of a registration.
  package func creationOptions() throws(BrowserRefusal) -> CreationOptions {
    try options { (json) throws(FormatError) in try CreationOptions(json: json) }
  }

  /// Returns the options of a sign-in.
  package func requestOptions() throws(BrowserRefusal) -> RequestOptions {
    try options { (json) throws(FormatError) in try RequestOptions(json: json) }
  }

  private func options<Options>(
    _ read: ([UInt8]) throws(FormatError) -> Options
  ) throws(BrowserRefusal) -> Options {
    if let refusal = refusals.first { throw refusal }
    do throws(FormatError) {
      return try read(
        JSON.writeObject { (object: inout JSONObjectWriter) in ExtensionValue.write(members, into: &object) })
    } catch {
      throw BrowserRefusal(.typeError, error)
    }
  }
}

/// The reason why a browser refuses options.
package struct BrowserRefusal: Error, Hashable, Sendable {
  /// The exception that the page receives.
  package let exception: Exception

  /// The cause and its position in the text.
  package let fault: FormatError

  /// The expected or the found value, beyond the cause.
  package let reason: String?

  /// The exceptions for options.
  package enum Exception: String, Sendable {
    case typeError = "TypeError"
    case encodingError = "EncodingError"
    case securityError = "SecurityError"
    case rangeError = "RangeError"
    case notSupportedError = "NotSupportedError"
  }

  init(_ exception: Exception, _ fault: FormatError, _ reason: String? = nil) {
    self.exception = exception
    self.fault = fault
    self.reason = reason
  }
}

extension BrowserRefusal {
  /// The member that the browser refuses.
  package var member: String { fault.member ?? "" }

  /// The act of the browser, such as `throws TypeError: expected an array`.
  package var effect: String {
    let missing = fault.code == .optionsMissingMember ? "\(member) is missing" : nil
    return ["throws \(exception.rawValue)", reason ?? missing].compactMap(\.self).joined(separator: ": ")
  }
}

extension BrowserRefusal: CustomStringConvertible {
  /// The cause and the reason, without the exception.
  package var description: String {
    reason.map { "\(fault): \($0)" } ?? "\(fault)"
  }
}
