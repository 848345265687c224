// SPDX-License-Identifier: Apache-2.0

internal import Glibc

/// A temporary folder for one test. Releasing it deletes the folder and its content.
public final class TemporaryFolder: Sendable {
  /// Its path.
  public let path: String

  /// The folder could not be created.
  public struct Unmakeable: Error {}

  /// Creates a folder in the system's temporary folder, or in another one.
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
