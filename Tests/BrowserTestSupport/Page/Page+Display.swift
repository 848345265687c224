// SPDX-License-Identifier: Apache-2.0

internal import WireFormats

extension Page {
  /// Sets the size of the window in CSS pixels.
  package func resize(width: Int, height: Int) async throws {
    try await send("Emulation.setDeviceMetricsOverride") { (parameters) in
      parameters.write("width", .integer(width))
      parameters.write("height", .integer(height))
      parameters.write("deviceScaleFactor", 1)
      parameters.write("mobile", false)
    }
  }

  /// Sets the media features that pages ask for: the color scheme, and whether users want less motion.
  package func setMedia(isDark: Bool, reducesMotion: Bool = false) async throws {
    try await send("Emulation.setEmulatedMedia") { (parameters) in
      parameters.writeArray("features") { (features) in
        features.writeObject { (feature) in
          feature.write("name", "prefers-color-scheme")
          feature.write("value", isDark ? "dark" : "light")
        }
        features.writeObject { (feature) in
          feature.write("name", "prefers-reduced-motion")
          feature.write("value", reducesMotion ? "reduce" : "no-preference")
        }
      }
    }
  }

  /// Turns JavaScript of pages off or on.
  package func setScripts(areAllowed: Bool) async throws {
    try await send("Emulation.setScriptExecutionDisabled") { $0.write("value", .bool(!areAllowed)) }
  }

  /// Returns an image of the whole page, as PNG.
  package func screenshot() async throws -> [UInt8] {
    let reply = try await send("Page.captureScreenshot") { (parameters) in
      parameters.write("format", "png")
      parameters.write("captureBeyondViewport", true)
    }
    return try reply.require("data").base64
  }
}
