// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// The error of a failed system call.
package struct SystemError: Error, Hashable {
  /// The value of `errno`.
  package let number: Int32

  package init(number: Int32) {
    self.number = number
  }

  /// The system's description of the error, in lower case: "no such file or directory".
  package var message: String {
    // "Too many levels of symbolic links" does not say that a single link is refused (O_NOFOLLOW).
    if number == ELOOP { return "it is a symbolic link, which is not followed" }
    return unsafe String(cString: strerror(number)).lowercased()
  }

  package static let accessDenied = Self(number: EACCES)
  package static let alreadyExists = Self(number: EEXIST)
  package static let brokenPipe = Self(number: EPIPE)
  package static let connectionAborted = Self(number: ECONNABORTED)
  package static let connectionRefused = Self(number: ECONNREFUSED)
  package static let connectionReset = Self(number: ECONNRESET)
  package static let invalid = Self(number: EINVAL)
  package static let noSuchFile = Self(number: ENOENT)
  package static let notEmpty = Self(number: ENOTEMPTY)
  package static let notPermitted = Self(number: EPERM)
  package static let notSupported = Self(number: ENOTSUP)
  package static let symbolicLink = Self(number: ELOOP)
  package static let wouldBlock = Self(number: EAGAIN)

  /// Whether a file system has no room for the data, or the user's quota is used up.
  package var isOutOfSpace: Bool { number == ENOSPC || number == EDQUOT }

  /// Calls the system, and again for as long as signals interrupt the call. `call` returns -1 and sets `errno` if it fails;
  /// this method then throws.
  package static func check<Result: FixedWidthInteger & SignedInteger>(
    _ call: () -> Result
  ) throws(SystemError) -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      guard errno == EINTR else { throw SystemError(number: errno) }
    }
  }
}
