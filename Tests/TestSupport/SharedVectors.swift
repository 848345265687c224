// SPDX-License-Identifier: Apache-2.0

/// The test data beside the checkout, in `../shared/vectors`, which is never copied into it.
///
/// A test that needs it has the trait `.enabled(if: SharedVectors.arePresent, SharedVectors.absence)`.
public enum SharedVectors {
  /// The reason for skipping a test.
  public static let absence = "../shared/vectors is not there"

  /// Whether the folder exists.
  public static let arePresent = (try? bytes("README.md")) != nil

  /// Returns the content of one of its files.
  public static func bytes(_ path: String) throws -> [UInt8] {
    try File.bytes("\(folder)/\(path)")
  }

  private static let folder = "\(projectFolder)/../shared/vectors"
}

/// The folder that holds `Package.swift`.
public let projectFolder = #filePath.split(separator: "/", omittingEmptySubsequences: false)
  .dropLast(3).joined(separator: "/")
