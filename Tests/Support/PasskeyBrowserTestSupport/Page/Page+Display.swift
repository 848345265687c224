// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

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

  /// Sets the media features that pages ask for: the color scheme, whether users want less motion, and whether the system
  /// replaces all colors by its own.
  package func setMedia(isDark: Bool, reducesMotion: Bool = false, forcesColors: Bool = false) async throws {
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
        features.writeObject { (feature) in
          feature.write("name", "forced-colors")
          feature.write("value", forcesColors ? "active" : "none")
        }
      }
    }
  }

  /// Sets the size of text that the user has chosen, in pixels; the usual one is 16.
  package func setTextSize(_ size: Int) async throws {
    try await send("Page.setFontSizes") { (parameters) in
      parameters.writeObject("fontSizes") { $0.write("standard", .integer(size)) }
    }
  }

  /// Turns JavaScript of pages off or on.
  package func setScripts(areAllowed: Bool) async throws {
    try await send("Emulation.setScriptExecutionDisabled") { $0.write("value", .bool(!areAllowed)) }
  }

  /// Returns an image of the whole page, or of the part in the window, as PNG.
  package func screenshot(isWhole: Bool = true) async throws -> [UInt8] {
    let reply = try await send("Page.captureScreenshot") { (parameters) in
      parameters.write("format", "png")
      parameters.write("captureBeyondViewport", .bool(isWhole))
    }
    return try reply.require("data").base64
  }
}
