// SPDX-License-Identifier: Apache-2.0

// What the two kinds of options have in common.

extension MemberReader {
  func descriptors(_ name: String) throws(Failure) -> [CredentialDescriptor] {
    var descriptors: [CredentialDescriptor] = []
    for descriptor in try objectsIfPresent(name) ?? [] { descriptors.append(try CredentialDescriptor(descriptor)) }
    return descriptors
  }
}

extension MemberWriter where Self: ~Copyable {
  mutating func writeUnlessEmpty(_ name: String, descriptors: [CredentialDescriptor]) throws(Failure) {
    guard !descriptors.isEmpty else { return }
    try writeObjects(name, count: descriptors.count) { (index, inside) throws(Failure) in
      try descriptors[index].write(into: &inside)
    }
  }
}
