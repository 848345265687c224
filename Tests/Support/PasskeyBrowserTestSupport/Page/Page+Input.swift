// SPDX-License-Identifier: Apache-2.0

internal import PasskeyFormats

extension Page {
  /// The keys that tests press.
  package enum Key: String, Sendable {
    case tab = "Tab"
    case enter = "Enter"
    case escape = "Escape"
    case space = "Space"

    fileprivate var code: Int {
      switch self {
      case .tab: 9
      case .enter: 13
      case .escape: 27
      case .space: 32
      }
    }

    fileprivate var text: String? {
      switch self {
      case .enter: "\r"
      case .space: " "
      case .tab, .escape: nil
      }
    }
  }

  /// Clicks on the first element that matches a CSS selector, with the events of a mouse. Waits until the element is not busy and
  /// has been under its middle for two frames: a page that is still changing moves it, and the click would reach another element.
  package func click(_ selector: String) async throws {
    let place = try await run(
      """
      // A tab behind another one has no frames.
      const frame = () => new Promise((done) => { requestAnimationFrame(done); setTimeout(done, 50); });
      for (let count = 0, last = '', frames = 0; frames < 2000; frames += 1) {
        const element = document.querySelector(\(quoted(selector)));
        if (!element) return null;
        element.scrollIntoView({block: 'center', behavior: 'instant'});
        // A link that is broken into lines has a rectangle for each, and nothing in the middle of them all.
        const {x, y, width, height} = element.getClientRects()[0] ?? element.getBoundingClientRect();
        const middle = [Math.round(x + width / 2), Math.round(y + height / 2)];
        const isThere = element.contains(document.elementFromPoint(...middle)) && last === middle.join()
          && element.ariaBusy !== 'true';
        last = middle.join();
        count = isThere ? count + 1 : 0;
        if (count === 2) return middle;
        await frame();
      }
      return null;
      """, isUserAction: false)
    guard let numbers = try place.unlessNull?.elements({ (value) throws(WireError) in try value.double }) else {
      throw BrowserError.noElement(selector: selector)
    }
    for kind in ["mousePressed", "mouseReleased"] {
      try await send("Input.dispatchMouseEvent") { (parameters) in
        parameters.write("type", .string(kind))
        parameters.write("x", .integer(Int(numbers[0])))
        parameters.write("y", .integer(Int(numbers[1])))
        parameters.write("button", "left")
        parameters.write("clickCount", 1)
      }
    }
  }

  /// Types a text into the element that matches a CSS selector.
  package func type(_ text: String, into selector: String) async throws {
    let isThere = try await run(
      """
      const element = document.querySelector(\(quoted(selector)));
      element?.focus();
      return element !== null;
      """
    ).bool
    guard isThere else { throw BrowserError.noElement(selector: selector) }
    try await send("Input.insertText") { $0.write("text", text) }
  }

  /// Presses and releases a key.
  package func press(_ key: Key) async throws {
    for kind in ["keyDown", "keyUp"] {
      try await send("Input.dispatchKeyEvent") { (parameters) in
        parameters.write("type", .string(kind))
        parameters.write("key", .string(key.text == " " ? " " : key.rawValue))
        parameters.write("code", key.rawValue)
        parameters.write("windowsVirtualKeyCode", .integer(key.code))
        if kind == "keyDown", let text = key.text { parameters.write("text", text) }
      }
    }
  }
}

/// Returns a string as a literal of JavaScript.
package func quoted(_ text: String) -> String {
  String(decoding: JSON.write(.string(text)), as: UTF8.self)
    // Line separators that older JavaScript does not allow in a literal.
    .split(separator: "\u{2028}", omittingEmptySubsequences: false).joined(separator: #"\u2028"#)
}
