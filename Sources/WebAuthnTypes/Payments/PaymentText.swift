// SPDX-License-Identifier: Apache-2.0

/// How text is compared about which a signature speaks: byte for byte, for Swift's own `==` takes what merely looks the
/// same for the same.
package enum PaymentText {
  package static func isSame(_ left: String?, _ right: String?) -> Bool {
    switch (left, right) {
    case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
    case (nil, nil): true
    default: false
    }
  }
}
