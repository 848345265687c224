// SPDX-License-Identifier: Apache-2.0

package import PasskeyProfiles
package import WebAuthnBrowser

/// The names by which a user signs up or in: one name, and an email address beside a user name.
package struct UserNames {
  /// A user name or an email address.
  package var name: String?
  /// The email address, if `name` is a user name.
  package var email: String?

  package init(name: String? = nil, email: String? = nil) {
    self.name = name
    self.email = email
  }

  fileprivate static let names: [(ShapeVariable, String)] = [
    (.accountName, "the user's name"), (.accountUsername, "a user name"), (.accountEmail, "an email address"),
  ]

  /// Sets the values of the account's names for the requests of an endpoint.
  ///
  /// Throws ``/WebAuthnBrowser/ClientError/Code-swift.enum/nameMissing`` if the server requires a name that is not given.
  ///
  /// If an endpoint takes a user name and an address, a name with an `@` is the address, unless another address is given.
  package func add(to values: inout ShapeValues, for contract: EndpointContract) throws(ClientError) {
    let variables = contract.requestVariables
    values.set(.accountName, name)
    if variables.contains(.accountUsername), variables.contains(.accountEmail) {
      let isAddress = email == nil && name?.utf8.contains(UInt8(ascii: "@")) == true
      values.set(.accountUsername, isAddress ? nil : name)
      values.set(.accountEmail, isAddress ? name : email)
    } else {
      values.set(.accountUsername, name)
      values.set(.accountEmail, email ?? name)
    }
    for (variable, what) in Self.names where values.text(variable) == nil && contract.requires(variable) {
      throw ClientError(.nameMissing, "the server requires \(what)")
    }
  }
}

extension EndpointContract {
  /// Whether the endpoint's request must name the user.
  var requiresName: Bool { UserNames.names.contains { (variable, _) in requires(variable) } }
}
