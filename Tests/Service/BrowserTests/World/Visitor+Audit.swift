// SPDX-License-Identifier: Apache-2.0

import PasskeyBrowserTestSupport
import PasskeyFormats
import Testing

extension Visitor {
  /// A script that returns faults: low contrast of text, fields and buttons, small targets, repeated identifiers and names, and width
  /// beyond the screen.
  private static let faultsOfPage = """
    const visible = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility());
    const parse = (color) => color.match(/[\\d.]+/g).map(Number);
    const luminance = (color) => parse(color).slice(0, 3).map((part) => part / 255)
      .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
      .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
    const contrast = (...colors) => {
      const [dark, light] = colors.map(luminance).sort((one, two) => one - two);
      return (light + 0.05) / (dark + 0.05);
    };
    const background = (one) => {
      for (; one; one = one.parentElement) {
        const color = getComputedStyle(one).backgroundColor;
        if ((parse(color)[3] ?? 1) === 1) return color;
      }
      return 'rgb(255, 255, 255)';
    };
    const name = (one) => one.tagName.toLowerCase() + (one.id && '#' + one.id) + ' ' + one.textContent.trim().slice(0, 30);
    const faults = [];
    for (const one of visible) {
      const style = getComputedStyle(one);
      const hasText = [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
      const size = parseFloat(style.fontSize);
      const needed = size >= 24 || size >= 18.66 && style.fontWeight >= 700 ? 3 : 4.5;
      if (hasText && contrast(style.color, background(one)) < needed) faults.push('contrast: ' + name(one));
      if (hasText && size < 14) faults.push('small text: ' + name(one));
      if (one.matches('input:not([type=checkbox]), select, button:not(.plain)') && contrast(style.borderTopColor, background(one.parentElement)) < 3) {
        faults.push('border: ' + name(one));
      }
      const box = one.getBoundingClientRect();
      if (one.matches('a:not(.skip), button, input, select, summary') && (box.height < 24 || box.width < 24)) {
        faults.push('small target: ' + name(one));
      }
      if (box.right > innerWidth + 1 && !one.closest('.skip')) faults.push('too wide: ' + name(one));
    }
    const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
    faults.push(...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => 'repeated: ' + id));
    const byIDs = (one) => one.getAttribute('aria-labelledby').split(' ').map((id) => document.getElementById(id).innerText).join(' ');
    const spoken = visible.filter((one) => one.matches('button, input, select')).filter((one) => !one.closest('[inert]')).map((one) =>
      (one.getAttribute('aria-label') ?? (one.hasAttribute('aria-labelledby') ? byIDs(one) : one.labels?.[0]?.innerText ?? one.innerText)).trim());
    const open = document.querySelector('dialog[open]');
    if (!open) faults.push(...spoken.filter((one, index) => spoken.indexOf(one) !== index).map((one) => 'same name: ' + one));
    if (document.documentElement.scrollWidth > innerWidth) faults.push('scrolls sideways');
    if (document.querySelectorAll('h1').length && visible.filter((one) => one.tagName === 'H1').length !== 1) faults.push('h1');
    return faults.join('; ');
    """

  /// The roles that need a name.
  private static let namedRoles: Set<String> = [
    "button", "link", "textbox", "searchbox", "combobox", "checkbox", "dialog", "heading", "navigation", "region",
    "Date",
    "DisclosureTriangle",
  ]

  /// Expects names, contrast, targets of sufficient size and no width beyond the screen, and no violation of a rule of axe-core.
  func expectAccess(_ place: String) async throws {
    try await expectNoFaults(place)
    #expect(try await page.accessibilityViolations() == [], "\(place)")
    let elements = try await page.accessibleElements()
    let nameless = elements.filter { Self.namedRoles.contains($0.role) && $0.name.allSatisfy(\.isWhitespace) }
    #expect(nameless.map(\.role) == [], "\(place)")
    // Behind an open dialog the page is inert.
    guard !elements.contains(where: { $0.role == "dialog" }) else { return }
    #expect(elements.contains { $0.role == "main" } && elements.contains { $0.role == "banner" }, "\(place)")
  }

  /// Expects contrast, targets of sufficient size and no width beyond the screen.
  func expectNoFaults(_ place: String) async throws {
    let faults = try await page.text(Self.faultsOfPage)
    #expect(faults == "", "\(place)")
  }
}
