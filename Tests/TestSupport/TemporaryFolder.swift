// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A folder of one test's own, gone with everything in it when this is released.
public final class TemporaryFolder: Sendable {
  /// Where it is.
  public let path: String

  /// It could not be made.
  public struct Unmakeable: Error {}

  /// Makes one below the system's folder for such, or below another.
  public init(in parent: String = "/tmp") throws {
    var template = [CChar]("\(parent)/passkey-test.XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { (template) -> String? in
      guard let start = template.baseAddress, let name = unsafe mkdtemp(start) else { return nil }
      return unsafe String(cString: name)
    }
    guard let made else { throw Unmakeable() }
    path = made
  }

  deinit {
    for name in (try? File.names(in: path, withHidden: true)) ?? [] { unsafe unlink(path + "/" + name) }
    unsafe rmdir(path)
  }
}
